// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import TestSupport
import Testing

@testable import RadioCore

/// The sidecar of a file into which audio was put.
struct SidecarHealingTests {
    private static func time(_ seconds: Int) -> CivilTime {
        CivilTime(WallInstant(nanoseconds: 0) + .seconds(seconds), utcOffset: 0)
    }

    /// A file of a hundred frames with two gaps, and events on both sides of the second one, which is before frame 40.
    private static let sidecar: Sidecar = {
        var sidecar = Sidecar(.complete, at: time(0), frames: 100, bytes: 1_000)
        sidecar.gaps = [10, 40, 90].map {
            .init(at: time($0), milliseconds: 5_000, cause: "gone", tried: [], position: Int64($0))
        }
        sidecar.titles = [0, 40, 50].map { .init(at: time($0), position: Int64($0), text: "\($0)") }
        sidecar.splices = [39, 40].map { .init(at: time($0), position: Int64($0), droppedFrames: 1, by: "match") }
        sidecar.foreign = [.init(at: time(30), milliseconds: 2_000, position: 30, frames: 20)]
        sidecar.repeated = [.init(at: time(60), milliseconds: 1_000, position: 60, frames: 10)]
        sidecar.clockStep = .init(position: 70, milliseconds: 3_000)
        sidecar.checksum = 1
        return sidecar
    }()

    private static func healing(
        position: Int64 = 40, before: Bool = true, after: Bool = true, rest: Int64? = 0
    ) -> Sidecar.Healing {
        Sidecar.Healing(
            .init(
                at: time(Int(position)), milliseconds: 4_000, position: position, frames: 7, by: "a second connection",
                after: 9_000),
            continuesBefore: before, isContinuedAfter: after, rest: rest, bytes: 1_070, samples: 107 * 1_152,
            checksum: 2)
    }

    private static func healed(_ healing: Sidecar.Healing) -> Sidecar {
        var sidecar = sidecar
        sidecar.healing = healing
        return sidecar.settled(for: healing.checksum)
    }

    @Test("What is behind the audio that was put in moves with it, and the gap is gone")
    func moved() {
        let sidecar = Self.healed(Self.healing())
        #expect(sidecar.frames == 107 && sidecar.bytes == 1_070 && sidecar.samples == 107 * 1_152)
        #expect(sidecar.checksum == 2 && sidecar.revision == 1 && sidecar.healing == nil)
        #expect(sidecar.gaps.map(\.position) == [10, 97])
        #expect(sidecar.titles.map(\.position) == [0, 47, 57] && sidecar.splices.map(\.position) == [39, 47])
        #expect(sidecar.foreign.map(\.range) == [30..<40, 47..<57])
        #expect(sidecar.foreign.map(\.milliseconds) == [1_000, 1_000])
        #expect(sidecar.repeated.map(\.range) == [67..<77] && sidecar.clockStep?.position == 77)
        #expect(sidecar.healed == [Self.healing().healed] && sidecar.at == Self.time(0))
    }

    @Test("An advert around the audio that was put in gets it, others move")
    func adverts() {
        var sidecar = Self.sidecar
        sidecar.stretches[.advert] = [0..<20, 30..<50, 40..<60, 20..<40].map {
            .init(
                at: Self.time($0.lowerBound), milliseconds: 100 * Int64($0.count), position: Int64($0.lowerBound),
                frames: Int64($0.count), by: "cue")
        }
        sidecar.healing = Self.healing()
        let marks = sidecar.settled(for: 2).stretches[.advert]
        #expect(marks.map(\.range) == [0..<20, 30..<57, 47..<67, 20..<40])
        #expect(marks.map(\.milliseconds) == [2_000, 6_000, 2_000, 2_000] && marks.allSatisfy { $0.by == "cue" })
    }

    @Test("On a side on which it does not fit, the gap remains with what is missing still")
    func sides() {
        let before = Self.healed(Self.healing(after: false, rest: 1_000))
        #expect(
            before.gaps.map(\.position) == [10, 47, 97] && before.gaps.map(\.milliseconds) == [5_000, 1_000, 5_000])
        #expect(before.gaps[1].at == Self.time(44))
        let after = Self.healed(Self.healing(before: false, rest: nil))
        #expect(after.gaps.map(\.position) == [10, 40, 97] && after.gaps.map(\.milliseconds) == [5_000, nil, 5_000])
        #expect(after.gaps[1].at == Self.time(40))
        let within = Self.healed(Self.healing(before: false, after: false, rest: nil))
        #expect(within.gaps.map(\.position) == [10, 40, 47, 97])
        #expect(within.gaps.map(\.milliseconds) == [5_000, nil, nil, 5_000])
        #expect(within.gaps[1].at == Self.time(40) && within.gaps[2].at == Self.time(44))
    }

    @Test("Audio before the first frame begins the file earlier")
    func beginning() {
        var sidecar = Self.sidecar
        sidecar.gaps[0].position = 0
        sidecar.gaps[0].at = Self.time(-5)
        sidecar.healing = Self.healing(position: 0)
        #expect(sidecar.settled(for: 2).at == Self.time(-4) && sidecar.settled(for: 2).gaps.count == 2)
        sidecar.healing = Self.healing(position: 0, after: false, rest: 1_000)
        #expect(sidecar.settled(for: 2).at == Self.time(-5))
    }

    @Test("A change that was begun counts only if the audio shows that it was made")
    func settled() {
        var begun = Self.sidecar
        begun.healing = Self.healing()
        #expect(begun.settled(for: 1) == Self.sidecar && begun.settled(for: 3) == Self.sidecar)
        #expect(begun.settled(for: 2) == Self.healed(Self.healing()))
        #expect(Self.sidecar.settled(for: 2) == Self.sidecar)
    }

    @Test("What was put in, and what is about to be, can be read again")
    func json() throws {
        var sidecar = Self.healed(Self.healing())
        #expect(Sidecar(parsing: sidecar.encoded) == sidecar)
        sidecar.healed[0].after = nil
        sidecar.healing = Self.healing(before: false, rest: nil)
        #expect(Sidecar(parsing: sidecar.encoded) == sidecar)
        let text = String(decoding: sidecar.encoded, as: UTF8.self)
        #expect(text.suffix(40).contains("\"\(Sidecar.unsettled)\""))
        #expect(!String(decoding: Self.sidecar.encoded, as: UTF8.self).contains("heal"))
        let entry = try #require(sidecar.json["healed"]?.arrayValue?.first)
        #expect(entry["seconds"]?.doubleValue == 4 && entry["by"]?.stringValue == "a second connection")
    }
}
