// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

/// Other tests rely on the checker, so it has tests of its own.
struct FrameCheckerTests {
    private static let encodings: [ReferenceProgramme.Parameters] = [
        .init(.mp3(128), seconds: 8), .init(.mp3(32), sampleRate: 22_050, channels: 1, seconds: 8),
        .init(.mp3(320), sampleRate: 48_000, seconds: 8), .init(.mp3Variable(quality: 4), seconds: 8),
        .init(.mp2(192), sampleRate: 48_000, seconds: 8), .init(.aac(96), seconds: 8),
    ]

    @Test("The programme itself is exact, and each of its frames is recognised", arguments: encodings)
    func wholeProgramme(_ parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try await ReferenceProgramme.make(parameters)
        let checker = try programme.checker()
        let report = checker.check(programme.bytes)
        #expect(report.exactStretch == 0...(checker.frames.count - 1), "\(report)")
        #expect(report.tagBytes == 0 && report.infoFrames == 0)
        #expect(checker.stretch(0...(checker.frames.count - 1)) == programme.bytes)
        let samples = parameters.encoding.container == .adts ? 1024 : parameters.sampleRate < 32_000 ? 576 : 1152
        let seconds = Double(checker.frames.count * samples) / Double(parameters.sampleRate)
        #expect(abs(seconds - 8) < 0.2, "the frames last \(seconds) s")
    }

    @Test("A stretch may be cut off within its last frame, but not lack a part of an inner frame")
    func cutOff() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 8))
        let checker = try programme.checker()
        let first = checker.frames[0].count
        for length in [first, first + 1, first + 3, first + 4, first + 200] {
            let report = checker.check(cutOff: Array(programme.bytes.prefix(length)))
            #expect(report.exactStretch == 0...0, "\(length): \(report)")
        }
        let hole = programme.bytes.prefix(first + 200) + programme.bytes.dropFirst(2 * first + 200)
        #expect(!checker.check(cutOff: Array(hole)).isExact)
        #expect(!checker.check(cutOff: Array(programme.bytes.prefix(2 * first - 1)) + [0, 0xFF]).isExact)
    }

    @Test(
        "Ogg programmes are exact packet by packet",
        arguments: [
            ReferenceProgramme.Parameters(.opus(96), sampleRate: 48_000, seconds: 8), .init(.vorbis(128), seconds: 8),
            .init(.flac, seconds: 4),
        ])
    func wholeOggProgramme(_ parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try await ReferenceProgramme.make(parameters)
        let checker = try programme.checker()
        let report = checker.check(programme.bytes)
        #expect(report.exactStretch == 0...(checker.frames.count - 1), "\(report)")
        #expect(checker.frames.count >= 40)
    }

    @Test("Equal parameters give equal bytes, and another seed gives other frames")
    func determinism() async throws {
        let one = try await ReferenceProgramme.make(.init(.mp3(64), seconds: 3, seed: 5))
        let other = try await ReferenceProgramme.make(.init(.mp3(64), seconds: 3, seed: 6))
        let again = try await ReferenceProgramme.make(.init(.mp3(64), seconds: 3, seed: 5))
        #expect(one.bytes == again.bytes)
        let report = try one.checker().check(other.bytes)
        #expect(report.foreign == report.places.count && report.junkBytes == 0, "\(report)")
    }

    @Test("Every kind of damage is found and counted", arguments: [0, 1, 3, 5].map { encodings[$0] })
    func damage(_ parameters: ReferenceProgramme.Parameters) async throws {
        let checker = try await ReferenceProgramme.make(parameters).checker()
        let good = Array(checker.frames[20..<80])
        func report(_ edit: (inout [ArraySlice<UInt8>]) -> Void) -> FrameReport {
            var frames = good
            edit(&frames)
            return checker.check(Array(frames.joined()))
        }
        #expect(report { _ in }.exactStretch == 20...79)

        let lost = report { $0.removeSubrange(10..<13) }
        #expect(lost.lost == [30, 31, 32] && lost.foreign == 0 && lost.junkBytes == 0 && !lost.isExact, "\(lost)")

        let doubled = report { $0.insert($0[10], at: 11) }
        #expect(doubled.duplicated == [30] && doubled.lost.isEmpty && doubled.disorders == 0, "\(doubled)")

        let swapped = report { $0.swapAt(10, 11) }
        #expect(swapped.disorders == 1 && swapped.lost.isEmpty && swapped.duplicated.isEmpty, "\(swapped)")

        let replayed = report { $0.insert(contentsOf: $0[5..<10], at: 10) }
        #expect(replayed.duplicated == [25, 26, 27, 28, 29] && replayed.disorders == 1, "\(replayed)")

        let half = report { $0[10] = $0[10].prefix($0[10].count / 2) }
        #expect(half.lost == [30] && half.junkBytes + half.foreign > 0 && half.last == 79, "\(half)")

        let tail = report { $0[59] = $0[59].dropLast() }
        #expect(tail.last == 78 && tail.junkBytes > 0 && !tail.isExact, "\(tail)")

        let junk = report { $0.insert([0x00, 0x11, 0x22], at: 10) }
        #expect(junk.junkBytes == 3 && junk.lost.isEmpty && junk.foreign == 0 && !junk.isExact, "\(junk)")

        let flipped = report { $0[10][$0[10].endIndex - 1] ^= 0x40 }
        #expect(flipped.foreign == 1 && flipped.lost == [30] && flipped.junkBytes == 0, "\(flipped)")
    }

    @Test("A frame of another programme of the same kind is foreign")
    func foreignFrame() async throws {
        let checker = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 8)).checker()
        let other = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 8, seed: 9)).checker()
        let mixed = checker.frames[0..<10] + other.frames[50..<52] + checker.frames[10..<20]
        let report = checker.check(Array(mixed.joined()))
        #expect(report.foreign == 2 && report.lost.isEmpty && report.junkBytes == 0 && !report.isExact, "\(report)")
        #expect(report.first == 0 && report.last == 19)
    }

    @Test("A tag and an Info frame at the beginning are not taken for audio")
    func tagAndInfoFrame() async throws {
        let checker = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 8)).checker()
        let tag: [UInt8] = [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 2] + [UInt8](repeating: 0, count: 130)
        var info = [UInt8](repeating: 0, count: 417)
        info.replaceSubrange(0..<4, with: [0xFF, 0xFB, 0x90, 0x00])
        info.replaceSubrange(36..<40, with: Array("Info".utf8))
        let report = checker.check(tag + info + checker.stretch(3...9))
        #expect(report.exactStretch == 3...9, "\(report)")
        #expect(report.tagBytes == 140 && report.infoFrames == 1)
    }

    @Test("A recording in several files is checked as one recording")
    func severalFiles() async throws {
        let checker = try await ReferenceProgramme.make(.init(.aac(96), seconds: 8)).checker()
        #expect(checker.check([checker.stretch(3...9), checker.stretch(10...20)]).exactStretch == 3...20)
        #expect(checker.check([checker.stretch(3...9), checker.stretch(11...20)]).lost == [10])
    }

    @Test("A lost page, a wrong checksum and a missing end of an Ogg file are found")
    func oggDamage() async throws {
        let programme = try await ReferenceProgramme.make(.init(.opus(96), sampleRate: 48_000, seconds: 8))
        let checker = try programme.checker()
        let starts = programme.bytes.indices.filter { programme.bytes[$0...].starts(with: Array("OggS".utf8)) }
        let pages = zip(starts, starts.dropFirst() + [programme.bytes.count]).map { programme.bytes[$0..<$1] }
        #expect(pages.count > 10)

        let gap = checker.check(Array((pages[0..<5] + pages[6...]).joined()))
        #expect(!gap.lost.isEmpty && gap.problems.count == 1, "\(gap)")

        var bytes = programme.bytes
        bytes[starts[5] + 100] ^= 1
        let wrong = checker.check(bytes)
        #expect(wrong.problems.count == 1 && wrong.foreign == 1, "\(wrong)")

        let cut = checker.check(Array(pages.dropLast().joined()))
        #expect(cut.lost.isEmpty && !cut.isExact, "\(cut)")
    }

    @Test("A source with two equal frames or with junk is refused")
    func unfitSources() async throws {
        let frames = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 8)).checker().frames
        #expect(throws: SetupError.self) {
            try FrameChecker(source: Array((frames[0..<5] + frames[3..<5]).joined()), container: .mpegAudio)
        }
        #expect(throws: SetupError.self) {
            try FrameChecker(source: [0] + Array(frames[0..<5].joined()), container: .mpegAudio)
        }
        #expect(throws: SetupError.self) { try FrameChecker(source: [], container: .mpegAudio) }
    }
}
