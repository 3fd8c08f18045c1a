// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import Instants
import TestSupport
import TestTools

/// The servers of a station in HLS, on ports of this machine, or of a station without segments beside them.
final class HLSServers {
    private let origins: [ScriptedOrigin]
    private let sockets: [HLSSockets]
    private let live: ScriptedOrigin?

    /// Starts the servers. Their scripts have started at `began`. `live` is the station, if it has no segments.
    init(
        _ servers: [(host: String, script: HLSScript)], live: LiveScript? = nil, began: MonotonicInstant
    ) throws {
        self.live = try live.map { try ScriptedOrigin($0, began: began) }
        let wall = SystemClock.wall - (.now - began)
        var hosts: [String: String] = [:]
        var (origins, sockets): ([ScriptedOrigin], [HLSSockets]) = ([], [])
        // The first server names the others, so they come before it.
        for (host, script) in servers.reversed() {
            let server = HLSSockets(script, began: began, wall: wall, hosts: hosts)
            let origin = try ScriptedOrigin(server, began: began)
            hosts[host] = "127.0.0.1:\(origin.port)"
            origins.insert(origin, at: 0)
            sockets.insert(server, at: 0)
        }
        (self.origins, self.sockets) = (origins, sockets)
    }

    /// What a recorder asks for.
    var url: String { live?.url("/live.mp3") ?? origins[0].url(HLSTrouble.path) }
    var isLive: Bool { live != nil }
    /// The list of the last server.
    var lastURL: String { origins[origins.count - 1].url("/live.m3u8") }
    var requests: Int { sockets.map(\.record.entries.count).reduce(0, +) }
    /// What the first server has been asked.
    var record: HLSRecord { sockets[0].record }

    /// The address of a variant's list.
    func url(ofVariant name: String) -> String { origins[0].url("/\(name)/list.m3u8") }

    static func form(_ name: String) -> HLSRendition.Packaging? {
        [.packed, .transportStream, .fragments].first { "\($0)" == name }
    }

    /// Serves a station until the process is killed, for trying programs by hand: `serve TROUBLE [FORM] [SECONDS]`,
    /// with the name of an ``HLSTrouble``, and packed, transportStream or fragments. Prints each request with its time.
    static func serve(_ arguments: [String]) throws {
        guard let trouble = HLSTrouble.allCases.first(where: { "\($0)" == arguments.first }) else {
            throw SetupError("serve wants one of \(HLSTrouble.allCases.map { "\($0)" }.joined(separator: ", "))")
        }
        let form = arguments.dropFirst().first.flatMap(form) ?? .transportStream
        let seconds = arguments.last.flatMap { Int($0) } ?? 600
        let programme = trouble.programme(Broadcast.adts(.seconds(seconds + 60)))
        let servers = try HLSServers(trouble.servers(programme, form), began: .now)
        print(servers.url)
        fflush(nil)
        var told = servers.sockets.map { _ in 0 }
        while true {
            poll(nil, 0, 100)
            for (index, socket) in servers.sockets.enumerated() {
                let entries = socket.record.entries
                for entry in entries[told[index]...] {
                    note("\(decimal(entry.asked.time.inSeconds)) \(entry.status) \(entry.target)")
                }
                told[index] = entries.count
            }
        }
    }
}
