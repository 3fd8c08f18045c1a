// SPDX-License-Identifier: MIT

import Foundation
import RadioFormats
import TestSupport
import TestTools
import Testing

/// Hooks of a running daemon.
struct ServeHookTests {
    private static let programme = Broadcast([.music(.seconds(120))], MPEGShape(128))

    /// A station that breaks off three times, for longer than its burst reaches back.
    private static func origin() throws -> ScriptedOrigin {
        let script = LiveScript(
            .stream(LiveStream(programme, burst: 0)),
            absences: [4, 8, 12].map { .init(.seconds($0), for: .seconds(1), .gone) })
        return try ScriptedOrigin(script)
    }

    @Test("Consecutive gaps call a hook twice, for the first gap and for the others together")
    func gaps() async throws {
        let origin = try Self.origin()
        let serving = try Serving("")
        let path = serving.folder.file("calls")
        try serving.configure(
            Serving.station("fip", origin.url("/fip"), "record = \"always\"")
                + """
                [[hook]]
                on = ["gap"]
                run = ["/bin/sh", "-c", "cat >> '\(path)'; echo '#' >> '\(path)'"]

                """)
        try await serving.start()
        let hasGaps = try await waitUntil(.seconds(60)) {
            serving.log.components(separatedBy: "of the programme are missing").count == 4
        }
        #expect(hasGaps, "\(serving.log)")
        #expect(try await serving.stop().succeeded)
        let calls = String(decoding: try serving.folder.read("calls"), as: UTF8.self).split(separator: "#")
        let events = try calls.filter { $0.contains("{") }.map {
            try JSONValue(parsing: Array($0.utf8), limit: 1 << 16)
        }
        #expect(events.map { $0["event"]?.stringValue } == ["gap", "gap"], "\(calls)")
        #expect(events.map { $0["gaps"]?.integerValue } == [nil, 2], "\(calls)")
    }
}
