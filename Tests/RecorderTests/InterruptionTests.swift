// SPDX-License-Identifier: MIT

import RadioCore
import Recorder
import TestSupport
import TestTools
import Testing

/// What is left when a process dies, and what the next process does with it.
@Suite("Interrupted recordings")
struct InterruptionTests {
    @Test(
        "An interrupted recording is playable, and complete after the next start, wherever it broke off",
        arguments: FormatTests.programmes)
    func everyFormat(parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try await ReferenceProgramme.make(parameters)
        let checker = try programme.checker()
        let dead = try RecorderRig { $0.policy = .none }
        dead.play(
            Array(programme.bytes.prefix(programme.bytes.count * 3 / 4)),
            with: FormatTests.framer(for: parameters.encoding))
        let name = try #require(dead.names.first { $0.hasSuffix(".part") })
        let part = try dead.folder.read(name)
        let sidecarName = try #require(dead.names.first { $0.hasSuffix(".json") })
        let begun = try dead.folder.read(sidecarName)

        var generator = SplitMix64(seed: 7)
        for _ in 0..<6 {
            let folder = try TemporaryFolder()
            let torn = Array(part.prefix(Int.random(in: part.count / 4...part.count, using: &generator)))
            try folder.write(name, torn)
            try folder.write(sidecarName, begun)
            let before = checker.check(torn)
            #expect(before.lost.isEmpty && before.foreign == 0)

            let rig = try RecorderRig(folder: folder)
            rig.pass(.seconds(1))
            let final = String(name.dropLast(5))
            #expect(folder.names().contains(final) && !folder.names().contains(name))
            let check = checker.check(try folder.read(final))
            #expect(check.isExact, "\(check)")
            #expect(check.places.count >= before.places.count - 1)
            let sidecar = try #require(rig.sidecar(sidecarName))
            #expect(
                sidecar.recording == "rec-1" && sidecar.state == .interrupted
                    && sidecar.frames == Int64(check.places.count))
            let outcome = try await FormatTests.run(
                .ffmpeg, ["-v", "error", "-i", folder.file(final), "-f", "null", "-"])
            #expect(outcome.succeeded && outcome.standardError.isEmpty, "\(outcome.standardError)")
        }
    }
}
