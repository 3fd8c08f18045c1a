// SPDX-License-Identifier: MIT

import Storage
import Testing
import Words

/// What `recordings verify` says of a file.
struct VerificationWordsTests {
    @Test("Frames with a wrong checksum came like that, unless the file has changed")
    func checksums() {
        var check = SegmentCheck()
        (check.frames, check.bytes, check.wrongChecksums) = (1_000, 417_000, 2)
        #expect(
            Wording.line(check, [], gaps: 1, isGrowing: false)
                == "1000 frames, 417 kB; 2 frames came with a wrong checksum; 1 gap")
        #expect(
            Wording.line(check, [.changed], gaps: 0, isGrowing: false)
                == "1000 frames, 417 kB; 2 frames with a wrong checksum; "
                + "NOT AS IT SHOULD BE: its audio has changed since it was recorded")
    }

    @Test("Each flaw is named")
    func flaws() {
        let flaws: [SegmentCheck.Flaw] = [
            .frames(7), .bytes(8), .samples(9), .foreign(10), .gapsOutside(2), .noSidecar,
        ]
        #expect(
            Wording.line(SegmentCheck(), flaws, gaps: 0, isGrowing: true).split(separator: "; ") == [
                "0 frames, 0 kB", "still being recorded", "NOT AS IT SHOULD BE: 7 frames were written down",
                "NOT AS IT SHOULD BE: 8 bytes were written down", "NOT AS IT SHOULD BE: 9 samples were written down",
                "NOT AS IT SHOULD BE: 10 bytes belong to no frame", "NOT AS IT SHOULD BE: 2 gaps beyond its end",
                "NOT AS IT SHOULD BE: nothing was written down of it",
            ])
    }
}
