// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import TestTools
import Testing

/// `aircheck status` on a terminal.
struct StatusTerminalTests {
    @Test("The command status updates its table in place, and Ctrl-C ends it")
    func redrawn() async throws {
        let studio = try await Studio()
        let serving = try await Serving.started(
            Serving.station("fip", studio.origin.url("/fip"), "record = \"always\""))
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("recording to") }, "\(serving.log)")

        let terminal = try Terminal("status --socket \(serving.socket)")
        // The cursor moves up over three lines: the summary, the table's header and the station.
        let up = "\u{1B}[3A"
        try await terminal.type("\u{3}", after: up, times: 3)
        let said = try await terminal.end()
        #expect(said.contains("ended 130") && Terminal.isAsBefore(said), "\(said)")
        let tables = said.components(separatedBy: up)
        #expect(tables.allSatisfy { $0.contains("STATION") && $0.contains("fip") }, "\(said)")
        // The time of the recording advances, so the tables differ.
        #expect(Set(tables.prefix(3)).count == 3, "\(said)")
        #expect(try await serving.stop().ending == .exited(0))
    }
}
