// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import TestTools
import Testing

/// What players of a relay with a fallback hear while its station is down.
struct RelayFallbackTests {
    @Test("F17: Players get the station, then whole files of the fallback folder, then the station again")
    func files() async throws {
        let folder = try TemporaryFolder()
        let music = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 40, seed: 9, usesReservoir: false))
        try folder.write("music.mp3", music.bytes)
        let studio = try await Studio(absences: [.init(.seconds(14), for: .seconds(15), .gone)])
        let relay = try await studio.relay(["--fallback", folder.path])
        let answer = try await relay.curl(seconds: 45)
        // Each frame must belong either to the station or to the folder, and frames of the same kind must follow each
        // other in stretches.
        let own = studio.check(answer.body).places
        let other = try FrameChecker(Broadcast(music)).check(cutOff: answer.body).places
        #expect(own.count == other.count)
        var kinds: [String] = []
        for (own, other) in zip(own, other) { kinds.append(own != nil ? "station" : other != nil ? "folder" : "?") }
        var stretches: [String] = []
        for kind in kinds where kind != stretches.last { stretches.append(kind) }
        #expect(stretches == ["station", "folder", "station"], "\(stretches)\n\(relay.process.errorSoFar)")
        #expect(kinds.count { $0 == "folder" } > 38 * 5)
        #expect(relay.process.errorSoFar.contains("so the fallback begins"))
        #expect(try await relay.stop().succeeded)
    }
}
