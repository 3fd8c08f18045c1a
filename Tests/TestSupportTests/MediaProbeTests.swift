// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

struct MediaProbeTests {
    @Test("A sound file is described without errors or warnings")
    func soundFile() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 8))
        let (description, seconds) = try await onThread {
            (try MediaProbe.describe(programme.path), try MediaProbe.decodedSeconds(programme.path))
        }
        #expect(description.container == "mp3" && description.codec == "mp3")
        #expect(description.sampleRate == 44_100 && description.channels == 2 && description.tags.isEmpty)
        #expect(abs(description.seconds - 8) < 0.2 && abs(seconds - 8) < 0.2)
        #expect(try await onThread { try MediaProbe.decodingErrors(programme.path) } == "")
        #expect(try await onThread { try MediaProbe.mpg123Warnings(programme.path) } == "")
    }

    @Test("Damage in a file causes errors and warnings")
    func damagedFile() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 8))
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "damaged.mp3",
            programme.bytes.prefix(40_000) + [UInt8](repeating: 0xFF, count: 900)
                + programme.bytes.dropFirst(41_000))
        #expect(try await onThread { try MediaProbe.decodingErrors(path) } != "")
        #expect(try await onThread { try MediaProbe.mpg123Warnings(path) } != "")
        #expect(throws: SetupError.self) { try MediaProbe.describe(folder.file("missing.mp3")) }
    }
}
