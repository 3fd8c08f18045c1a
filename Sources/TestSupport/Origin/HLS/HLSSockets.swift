// SPDX-License-Identifier: MIT

import CurlClient
package import Instants
import TestTools

/// A server of HLS on a port: an ``HLSScript`` that a ``ScriptedOrigin`` performs on kept connections (HTTP/1.1).
///
///     let hls = HLSSockets(script)
///     let origin = try ScriptedOrigin(hls, began: hls.began)
///     // … origin.url("/live.m3u8") …
package struct HLSSockets: ConnectionScript {
    package let script: HLSScript
    package let began: MonotonicInstant
    /// The date at which the programme starts.
    package let epoch: WallInstant
    /// What stands for a host in the script's addresses: `mirror.test` → `127.0.0.1:4711`.
    package let hosts: [String: String]
    private let watched = Watched(HLSRecord())

    /// `wall` is the date at `began`.
    package init(
        _ script: HLSScript, began: MonotonicInstant = .now, wall: WallInstant, hosts: [String: String] = [:]
    ) {
        (self.script, self.began, self.hosts) = (script, began, hosts)
        epoch = wall - script.onAir
    }

    /// The requests so far.
    package var record: HLSRecord { watched.value }

    package func absence(at time: Duration) -> LiveScript.Absence? {
        script.absences.first { $0.from - script.onAir <= time && time < $0.to - script.onAir }
    }

    package func nextChange(after time: Duration) -> Duration? {
        script.absences.flatMap { [$0.from - script.onAir, $0.to - script.onAir] }.filter { $0 > time }.min()
    }

    package func perform(_ connection: OriginConnection) throws {
        while true {
            let request = try connection.readRequest()
            let time = MonotonicInstant.now - began
            if let absence = absence(at: time), absence.kind != .refusing { try connection.reset() }
            let answer = watched.change {
                script.answer(HLSRequest(request), at: script.onAir + time, epoch: epoch, &$0)
            }
            guard try perform(answer, request, connection) else { return }
        }
    }

    /// Returns whether the connection stays open.
    private func perform(
        _ answer: HLSAnswer, _ request: OriginRequest, _ connection: OriginConnection
    ) throws -> Bool {
        if answer.hangsUp { return false }
        var answer = answer
        if answer.isText { answer.body = Array(real(String(decoding: answer.body, as: UTF8.self)).utf8) }
        if answer.wait > .zero { try connection.socket.stall(until: .now + answer.wait) }
        let keeps =
            answer.statesLength && answer.cutAfter == nil
            && request.header("Connection")?.lowercased() != "close"
        try connection.send(head(of: answer, keeps: keeps)[...])
        guard request.method != "HEAD" else { return keeps }
        let body = answer.cutAfter.map { answer.body.prefix($0) } ?? answer.body[...]
        let start = MonotonicInstant.now
        var paced = PacedBody(Array(body), over: answer.over)
        pacing: while true {
            switch paced.next(at: .now - start, block: answer.over > .zero ? 1400 : max(1, body.count)) {
            case .send(let piece): try connection.send(piece.bytes, isStream: true)
            case .wait(let time): try connection.socket.stall(until: time.map { start + $0 })
            case .close, .reset: break pacing
            }
        }
        return keeps
    }

    /// A text with the real hosts in its addresses.
    private func real(_ text: String) -> String {
        hosts.reduce(text) { $0.replacing("://\($1.key)/", with: "://\($1.value)/") }
    }

    private func head(of answer: HLSAnswer, keeps: Bool) -> [UInt8] {
        var head = LiveHead(answer.status, "Scripted")
        head.version = "HTTP/1.1"
        head.fields = answer.fields
        if let location = answer.location { head.fields.append(("Location", real(location))) }
        if answer.statesLength, answer.status != 304 {
            head.fields.append(("Content-Length", "\(answer.body.count)"))
        }
        head.fields.append(("Connection", keeps ? "keep-alive" : "close"))
        return head.bytes
    }
}

extension HLSRequest {
    init(_ request: OriginRequest) {
        let lines = request.head.split(separator: "\r\n").dropFirst()
        self.init(
            request.target,
            lines.compactMap { line in
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                return parts.count == 2 ? (parts[0].lowercased(), String(parts[1].drop { $0 == " " })) : nil
            })
    }
}
