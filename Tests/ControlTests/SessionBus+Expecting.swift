// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

extension SessionBus {
    /// Runs a program on this bus, and expects exactly this output.
    func expect(
        _ tool: Tool, _ arguments: [String], says expected: String, at place: SourceLocation = #_sourceLocation
    ) async throws {
        let said = try await ask(tool, arguments)
        #expect(said == expected, "\(tool) \(arguments)", sourceLocation: place)
    }
}
