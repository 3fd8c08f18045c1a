// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

/// `aircheck recordings heal`, with a daemon.
struct ServeHealingTests {
    @Test("What one recording of a daemon lacks comes from another one, and the daemon knows it")
    func heal() async throws {
        let studio = try await Studio()
        let serving = try await Serving.started(Serving.station("nova", studio.origin.url("/nova")))
        #expect(try await serving.ask(["recordings", "heal"]).text.contains("nothing can be healed"))
        #expect(try await serving.ask(["record", "nova", "--for", "6s"]).succeeded)
        #expect(try await waitUntil(.seconds(60)) { serving.log.contains("[nova] recording no. 1 is complete") })
        let file = try #require(serving.files.first)
        let whole = try serving.folder.read(file)
        let cut = "\(file.dropLast(4)) cut"
        try Self.cut(whole, beside: "\(file.dropLast(4)).json", as: cut, in: serving.folder)
        let folder = serving.folder.file(String(file.prefix { $0 != "/" }))
        #expect(try await Aircheck.run(["repair", folder]).succeeded)

        let possible = try await serving.ask(["recordings", "heal", "--dry-run"])
        #expect(possible.succeeded && possible.text.contains("cut.mp3: can be healed: 1.0 s at "), "\(possible)")
        #expect(try await serving.ask(["recordings", "heal", "other"]).text.contains("nothing can be healed"))
        let healed = try await serving.ask(["recordings", "heal", "cut"])
        #expect(healed.succeeded && healed.text.contains("cut.mp3: healed: 1.0 s at "), "\(healed)")
        let places = studio.check(try serving.folder.read("\(cut).mp3"))
        #expect(places.isExact && places.places == studio.check(whole).places, "\(places)")
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("catalog") })
        var verified = try await serving.ask(["recordings", "verify", "cut"])
        for _ in 0..<100 where !verified.succeeded {
            verified = try await serving.ask(["recordings", "verify", "cut"])
        }
        #expect(verified.succeeded && verified.text.contains("1 gap healed"), "\(verified)")
        #expect(try await serving.stop().ending == .exited(0))
    }

    /// Writes a recording without some of its frames, as a crash leaves it, as another recording.
    private static func cut(
        _ audio: [UInt8], beside sidecar: String, as name: String, in folder: TemporaryFolder
    ) throws {
        var framer = MPEGAudioFramer()
        audio.withUnsafeBytes { framer.append($0) }
        framer.finish()
        var frames: [[UInt8]] = []
        while let event = framer.next() {
            if case .frame(let frame) = event { frames.append(framer.withBytes(of: frame) { Array($0) }) }
        }
        let lost = 60..<100
        var sidecar = try #require(Sidecar(parsing: folder.read(sidecar)))
        let at = try #require(sidecar.airTime(ofFrame: Int64(lost.lowerBound)))
        let length = try #require(sidecar.frameLength) * lost.count
        sidecar.gaps = [
            .init(
                at: CivilTime(at, utcOffset: 0), milliseconds: length.wholeMilliseconds, cause: "cut", tried: [],
                position: Int64(lost.lowerBound))
        ]
        (sidecar.recording, sidecar.number, sidecar.state) = ("cut", 1, .growing)
        frames.removeSubrange(lost)
        try folder.write("\(name).mp3.part", Array(frames.joined()))
        try folder.write("\(name).json", sidecar.encoded)
    }
}
