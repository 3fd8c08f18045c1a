// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

/// Frames selected by their numbers, in files with damage.
struct FrameSelectionTests {
    /// Runs through a file of `count` frames; `lost` maps an index to the number of frames lost before it. Returns the
    /// numbers of the frames that are taken.
    private static func taken(_ selection: inout FrameSelection, count: Int, lost: [Int: Int64] = [:]) -> [Int64] {
        var taken: [Int64] = []
        for index in 0..<count where !selection.isOver {
            if let lost = lost[index] { selection.lose(lost) }
            let number = selection.position
            if selection.takeNext() { taken.append(number) }
        }
        selection.end()
        return taken
    }

    @Test("Frames keep their numbers after damage, and lost frames are counted") func damage() {
        var selection = FrameSelection(10..<20, known: 100)
        #expect(Self.taken(&selection, count: 90, lost: [5: 2, 12: 3]) == [10, 11, 12, 13, 17, 18, 19])
        #expect(selection.missing == 3)
    }

    @Test("A file that ends too soon lacks the frames that it was known to have") func shortFile() {
        var selection = FrameSelection(10..<20, known: 18)
        #expect(Self.taken(&selection, count: 15) == [10, 11, 12, 13, 14] && selection.missing == 3)
        var all = FrameSelection(10..<Int64.max, known: 18)
        #expect(Self.taken(&all, count: 15).count == 5 && all.missing == 3)
    }

    @Test("Frames beyond the known number are not taken") func unknownFrames() {
        var complete = FrameSelection(10..<Int64.max, known: 12)
        #expect(Self.taken(&complete, count: 30) == [10, 11] && complete.missing == 0)
    }

    @Test("All existing frames are taken, however many lost frames the damage claims") func claimedLoss() {
        var damaged = FrameSelection(0..<Int64.max, known: 12)
        #expect(Self.taken(&damaged, count: 10, lost: [1: .max]).count == 10 && damaged.missing == 11)
    }
}
