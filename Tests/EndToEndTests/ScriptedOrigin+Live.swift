// SPDX-License-Identifier: MIT

import TestSupport

extension ScriptedOrigin {
    /// A station of 128 kbit/s in real time, without a burst, whose programme begins again with each connection.
    static func live() async throws -> (ScriptedOrigin, ReferenceProgramme) {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 20, seed: 3))
        let origin = try ScriptedOrigin(
            [.request, .icyHead(), .pace(programme.bytes, bytesPerSecond: 16_000), .stall(Gate())])
        return (origin, programme)
    }
}
