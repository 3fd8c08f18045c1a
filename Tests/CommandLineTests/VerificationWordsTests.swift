// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import TestSupport
import Testing
import Words

@testable import Storage

/// What `recordings verify` says of a file.
struct VerificationWordsTests {
    private static func sidecar(_ checksum: UInt64?) -> Sidecar {
        var sidecar = Sidecar(.complete, frames: 1_000, bytes: 417_000)
        sidecar.checksum = checksum
        return sidecar
    }

    private static let gap = Sidecar.Gap(
        at: CivilTime(WallInstant(nanoseconds: 0), utcOffset: 0), milliseconds: nil, cause: "", tried: [], position: 9)

    @Test("Wrong checksums are called the station's only if the file is known to be unchanged")
    func checksums() {
        var check = SegmentCheck()
        (check.frames, check.bytes, check.wrongChecksums, check.checksum) = (1_000, 417_000, 2, 5)
        var same = Self.sidecar(5)
        same.gaps = [Self.gap]
        #expect(
            Wording.line(check, [], beside: same, isGrowing: false)
                == "1000 frames, 417 kB; 2 frames came with a wrong checksum; 1 gap")
        same.healed = [.init(at: Self.gap.at, milliseconds: 1, position: 3, frames: 1, by: "x", after: nil)]
        check.wrongChecksums = 0
        #expect(
            Wording.line(check, [], beside: same, isGrowing: false) == "1000 frames, 417 kB; 1 gap; 1 gap healed")
        check.wrongChecksums = 2
        #expect(
            Wording.line(check, [.changed], beside: Self.sidecar(6), isGrowing: false)
                == "1000 frames, 417 kB; 2 frames with a wrong checksum; "
                + "WRONG: its audio has changed since it was recorded")
        for unknown in [Self.sidecar(nil), nil] {
            #expect(
                Wording.line(check, [], beside: unknown, isGrowing: false)
                    == "1000 frames, 417 kB; 2 frames with a wrong checksum")
        }
    }

    @Test("Each flaw of a file is named")
    func flaws() {
        let flaws: [SegmentCheck.Flaw] = [
            .frames(7), .bytes(8), .samples(9), .foreign(10), .gapsOutside(2), .noSidecar,
        ]
        #expect(
            Wording.line(SegmentCheck(), flaws, beside: nil, isGrowing: true).split(separator: "; ") == [
                "0 frames, 0 kB", "not complete yet", "WRONG: its sidecar counts 7 frames",
                "WRONG: its sidecar counts 8 bytes", "WRONG: its sidecar counts 9 samples",
                "WRONG: 10 bytes belong to no frame", "WRONG: its sidecar has 2 gaps outside the file",
                "WRONG: it has no sidecar",
            ])
    }

    /// A part of its air time may have been a gap.
    @Test("A file that is gone held at most the audio between its neighbours") func gone() {
        var hole = LibraryRecording.Hole(named: [["2.mp3"]])
        #expect(Wording.line(hole) == "WRONG: the file is gone")
        (hole.from, hole.until) = (Self.gap.at.instant, Self.gap.at.instant + .milliseconds(26_300))
        #expect(Wording.line(hole) == "WRONG: the file is gone, up to 0:26 of audio")
        hole.isDeleted = true
        #expect(Wording.line(hole) == "deleted by Aircheck, up to 0:26 of audio")
    }
}
