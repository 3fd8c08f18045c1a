// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import TestSupport
import Testing

@testable import RadioCore
@testable import Storage

/// Files that are gone from a recording.
struct RecordingHoleTests {
    /// A file of an hour, which names its neighbours. `names`: its own name, if it was renamed.
    private func segment(
        _ number: Int, of count: Int = 6, named name: String? = nil, in folder: String = "day"
    ) -> LibrarySegment {
        let at = WallInstant(nanoseconds: Int64(number) * 3_600_000_000_000)
        var sidecar = Sidecar(
            .complete, at: CivilTime(at, utcOffset: 0), frames: 137_813, bytes: 1, samples: 44_100 * 3_600)
        (sidecar.recording, sidecar.number) = ("r", number)
        if number > 1 { sidecar.previous = "\(number - 1).mp3" }
        if number < count { sidecar.next = "\(number + 1).mp3" }
        let audio = LibrarySegment.Audio(fileExtension: "mp3", bytes: 1, isPart: false)
        return LibrarySegment(
            folders: [folder], base: name ?? "\(number)", audio: audio, description: .sidecar(sidecar))
    }

    private func holes(
        _ segments: [LibrarySegment], deleted: [ClosedRange<Int>] = []
    ) -> [LibraryRecording.Hole] {
        LibraryRecording(id: "r", segments: segments).holes(deleted: deleted)
    }

    @Test("D34: A recording from which no file is gone has no hole, also after a file was renamed") func none() {
        #expect(holes((1...6).map { segment($0) }).isEmpty)
        #expect(holes((1...6).map { segment($0, named: $0 == 3 ? "renamed" : nil) }).isEmpty)
        #expect(holes([segment(1, of: 1)]).isEmpty && holes([]).isEmpty)
    }

    @Test("D34: Files that are gone from the middle are a hole with its numbers and its air time") func middle() throws
    {
        let found = holes([1, 2, 5, 6].map { segment($0) })
        let hole = try #require(found.first)
        #expect(found.count == 1 && hole.named == [["day", "3.mp3"], ["day", "4.mp3"]] && hole.numbers == 3...4)
        let length = try #require(hole.until) - #require(hole.from)
        #expect(length > .seconds(7_199) && length < .seconds(7_201) && !hole.isBeforeAll)
        let single = holes([1, 3, 4, 6].map { segment($0) })
        #expect(single.map(\.named) == [[["day", "2.mp3"]], [["day", "5.mp3"]]])
    }

    @Test("D34: A hole ends where the gap before the next file begins") func gapBehind() throws {
        var after = segment(3)
        var sidecar = try #require(after.sidecar)
        let at = try #require(sidecar.at)
        let gap = CivilTime(at.instant - .seconds(600), utcOffset: 0)
        sidecar.gaps = [Sidecar.Gap(at: gap, milliseconds: 600_000, cause: "", tried: [], position: 0)]
        after.description = .sidecar(sidecar)
        #expect(holes([segment(1), after]).first?.until == gap.instant)
    }

    @Test("D34: Files that are gone from the beginning or from the end are holes, too") func ends() {
        let found = holes([3, 4].map { segment($0) })
        #expect(found.map(\.named) == [[["day", "2.mp3"]], [["day", "5.mp3"]]])
        #expect(found.map(\.isBeforeAll) == [true, false] && found.map(\.numbers) == [nil, 5...5])
    }

    @Test("D34: A hole is known as deleted only if Aircheck has deleted each of its files") func deleted() {
        func deleted(_ numbers: [Int], _ deleted: [ClosedRange<Int>]) -> [Bool] {
            holes(numbers.map { segment($0) }, deleted: deleted).map(\.isDeleted)
        }
        #expect(deleted([1, 5, 6], [2...4]) == [true] && deleted([1, 6], [1...9]) == [true])
        #expect(deleted([1, 5, 6], [2...2, 4...4]) == [false] && deleted([1, 5, 6], []) == [false])
        #expect(deleted([1, 3, 4, 6], [5...5]) == [false, true])
        // The end of a recording is gone, or its beginning.
        #expect(deleted([1, 2], [3...6]) == [true] && deleted([1, 2], [4...6]) == [false])
        #expect(deleted([4, 5, 6], [1...3]) == [false])
    }

    @Test("D34: A hole is named by where its files were, although a neighbour was moved to another folder")
    func movedNeighbour() {
        func named(_ files: [(Int, String)]) -> [[[String]]] {
            holes(files.map { segment($0.0, in: $0.1) }).map(\.named)
        }
        #expect(named([(1, "day"), (2, "kept"), (4, "day"), (5, "day"), (6, "day")]) == [[["day", "3.mp3"]]])
        #expect(named([(1, "day"), (2, "day"), (4, "kept"), (5, "day"), (6, "day")]) == [[["day", "3.mp3"]]])
        #expect(named([(2, "day"), (3, "day"), (4, "kept")]) == [[["day", "1.mp3"]], [["day", "5.mp3"]]])
        #expect(named([(2, "kept"), (3, "day"), (4, "day")]) == [[["day", "1.mp3"]], [["day", "5.mp3"]]])
        #expect(named([(1, "kept"), (3, "day"), (4, "day"), (5, "day"), (6, "day")]) == [[["day", "2.mp3"]]])
        // Nothing tells where these were recorded: the two see each other in different folders.
        #expect(named([(3, "kept"), (4, "day")]) == [[["2.mp3"]], [["5.mp3"]]])
        #expect(named([(1, "kept")]) == [[["2.mp3"]]])
        #expect(named((1...6).map { ($0, $0 == 3 ? "kept" : "day") }).isEmpty)
    }
}
