// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import EventLoopTesting
import Instants
import TestSupport

/// A client of HLS that is just good enough for tests of the origin: every second it loads the list, then the segments
/// that it does not have, each until it comes. A refused list makes it ask the first address again.
final class HLSReader {
    let reactor = ManualReactor()
    let hls: [VirtualHLS]
    private let origin: VirtualOrigin
    private let first: String
    private var address: String
    private(set) var list = ""
    private(set) var segments: [(number: Int, body: [UInt8])] = []
    private(set) var failures: [TransferError.Code] = []

    init(_ scripts: [HLSScript], path: String = "/live.m3u8") {
        let reactor = reactor
        hls = scripts.map { VirtualHLS($0, in: reactor) }
        let hosts = hls.enumerated().map { ("s\($0).test", $1.live) }
        origin = VirtualOrigin(hosts: Dictionary(uniqueKeysWithValues: hosts), reactor: reactor)
        origin.answersAtOnce()
        first = "http://s0.test\(path)"
        address = first
    }

    func follow(for time: Duration, every pause: Duration = .seconds(1)) {
        let end = reactor.now + time
        while reactor.now < end {
            load()
            reactor.advance(by: pause)
        }
    }

    private func load() {
        let download = fetch(address)
        guard download.head?.status == 200 else {
            address = first
            return
        }
        let base = download.head?.effectiveURL ?? address
        address = base
        list = String(decoding: download.body, as: UTF8.self)
        for line in list.split(separator: "\n") where !line.hasPrefix("#") {
            let file = line.split(separator: "/").last ?? ""
            let number = Int(file.prefix { $0 != "." }.filter { $0.isNumber && $0.isASCII }) ?? 0
            guard segments.last.map({ $0.number < number }) ?? true else { continue }
            let folder = base.prefix { $0 != "?" }.split(separator: "/").dropLast().joined(separator: "/")
            let url = folder.replacing("http:/", with: "http://") + "/" + line
            for _ in 0..<4 {
                let segment = fetch(url)
                guard segment.head?.status == 200, segment.error == nil else { continue }
                segments.append((number, segment.body))
                break
            }
        }
    }

    private func fetch(_ url: String) -> Download {
        let download = Download(on: reactor)
        _ = origin.start(TransferRequest(url: url, wantsMetadata: false), delegate: download)
        reactor.settle()
        if let error = download.error { failures.append(error.code) }
        return download
    }
}
