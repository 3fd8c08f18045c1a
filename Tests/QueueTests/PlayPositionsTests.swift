// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Testing

@testable import Queue

@Suite("Where items were left")
struct PlayPositionsTests {
    private let now = WallInstant(nanoseconds: 1_795_000_000_000_000_000)
    private let key = ItemKey(address: "http://a.example/1.mp3")
    private let list = ItemKey(list: ["http://a.example/feed"])

    private var item: QueueItem { episode("1") }

    private func episode(_ name: String) -> QueueItem {
        var item = QueueItem(address: "http://a.example/\(name).mp3")
        item.isEpisode = true
        return item
    }

    @Test(
        "No position is kept near the beginning or near the end of an item",
        arguments: [
            (9.9, 3600.0, false), (10, 3600, true), (3419, 3600, true), (3420, 3600, false), (100, 140, true),
            (110, 140, false), (15, 40, false), (9.9, nil, false), (100_000, nil, true), (12, 0, true),
            // 5 % of ten hours would be half an hour, but only the last ten minutes count as near the end.
            (35_399, 36_000, true), (35_401, 36_000, false),
        ] as [(Double, Double?, Bool)])
    func rules(position: Double, length: Double?, isKept: Bool) {
        var positions = PlayPositions()
        positions.note(item, at: .seconds(500), of: nil, now: now)
        positions.note(item, at: .seconds(position), of: length.map { .seconds($0) }, now: now)
        #expect(positions.position(of: item) == (isKept ? .seconds(position) : nil))
        #expect(positions.changes.keys.contains(key))
    }

    @Test(
        "An episode and a long item continue where they were left, and a song begins at its beginning",
        arguments: [
            (true, 200.0, true), (false, 200, false), (false, 599, false), (false, 601, true), (true, nil, true),
            (false, nil, false),
        ] as [(Bool, Double?, Bool)])
    func continues(isEpisode: Bool, length: Double?, doesContinue: Bool) {
        var item = item
        item.isEpisode = isEpisode
        var positions = PlayPositions()
        positions.note(item, at: .seconds(60), of: length.map { .seconds($0) }, now: now)
        #expect((positions.position(of: item) != nil) == doesContinue)
        // Earlier versions kept the positions of songs, too.
        positions.apply([
            key: PlayPosition(.left(at: .seconds(60), of: length.map { .seconds($0) }), left: now + .seconds(1))
        ])
        #expect((positions.position(of: item) != nil) == doesContinue)
        positions.pass(item, now: now)
        #expect(positions.position(of: item) == nil && positions.isHeard(item) == isEpisode)
    }

    @Test("A folder continues at the item at which it was left, or after it if that item was over")
    func folder() {
        let songs = QueueSamples.items("abc")
        var positions = PlayPositions()
        func begin() -> Int? { positions.firstIndex(of: songs, in: list) }
        #expect(begin() == 0)
        positions.enter(songs[1], of: list, now: now)
        #expect(begin() == 1)
        positions.note(songs[1], at: .seconds(5), of: .seconds(180), in: list, now: now)
        #expect(begin() == 1)
        positions.note(songs[1], at: .seconds(170), of: .seconds(180), in: list, now: now)
        #expect(begin() == 2)
        positions.note(songs[2], at: .seconds(170), of: .seconds(180), in: list, now: now)
        #expect(begin() == 0)
        positions.note(songs[1], at: .seconds(5), of: .seconds(20), in: list, now: now)
        #expect(begin() == 1)
        #expect(positions.firstIndex(of: [songs[2], songs[1]], in: list) == 1)
        #expect(positions.firstIndex(of: [songs[2]], in: list) == 0)
        positions.forget(list)
        #expect(begin() == 0)
    }

    @Test("A feed continues with the episode that was left, then with the newest that was not heard")
    func feed() {
        let episodes = ["3", "2", "1"].map(episode)
        var positions = PlayPositions()
        func begin(_ items: [QueueItem]) -> Int? { positions.firstIndex(of: items, in: list) }
        positions.note(episodes[1], at: .seconds(300), of: .seconds(900), in: list, now: now)
        let later = [episode("4")] + episodes
        #expect(begin(later) == 2)
        positions.note(episodes[1], at: .seconds(890), of: .seconds(900), in: list, now: now)
        #expect(begin(later) == 0 && positions.isHeard(episodes[1]))
        positions.pass(later[0], now: now)
        #expect(begin(later) == 1)
        for episode in episodes { positions.pass(episode, now: now) }
        #expect(begin(later) == nil)
    }

    @Test("The oldest positions are dropped above the limit, and a position noted again is not old")
    func bounded() {
        var positions = PlayPositions()
        func item(_ number: Int) -> QueueItem { QueueItem(path: "/\(number)", length: .seconds(3_600)) }
        for number in 0..<PlayPositions.most { positions.note(item(number), at: .seconds(60), of: nil, now: now) }
        positions.note(item(0), at: .seconds(70), of: nil, now: now)
        for number in 0..<10 {
            positions.note(item(PlayPositions.most + number), at: .seconds(60), of: nil, now: now)
        }
        #expect(positions.ordered.count == PlayPositions.most)
        #expect(positions.position(of: item(0)) == .seconds(70) && positions.position(of: item(10)) == nil)
        #expect(positions.position(of: item(11)) != nil)
        #expect(positions.json.encoded(.pretty).count < PlayPositions.longestText)
    }

    @Test("Positions are read back as written, in order")
    func roundTrip() throws {
        var positions = PlayPositions()
        positions.note(item, at: .milliseconds(754_321), of: .seconds(3600), now: now)
        let file = QueueItem(path: "/a\u{1b}\"ü.mp3", size: 5)
        positions.note(file, at: .seconds(60), of: .seconds(700), in: ItemKey(list: ["/a"]), now: now)
        positions.note(file, at: .seconds(690), of: .seconds(700), in: ItemKey(list: ["/b"]), now: now)
        positions.pass(episode("2"), now: now)
        let read = try PlayPositions(parsing: positions.json.encoded(.pretty))
        #expect(read.ordered.map(\.key) == positions.ordered.map(\.key))
        #expect(read.ordered.map(\.position) == positions.ordered.map(\.position) && read.changes.isEmpty)
    }

    @Test("A nonsensical file is reported, a nonsensical position is left out")
    func hostile() throws {
        func read(_ text: String) -> Result<Int, PlayPositions.ParseError> {
            Result { () throws(PlayPositions.ParseError) in try PlayPositions(parsing: Array(text.utf8)).ordered.count }
        }
        #expect(read("") == .failure(.notJSON(JSONError(.endOfInput, offset: 0))))
        #expect(
            read("[]") == .failure(.notPositions) && read("{\"version\":2,\"positions\":[]}") == .failure(.notPositions)
        )
        #expect(read("{\"version\":1,\"positions\":{}}") == .failure(.notPositions))
        let good = "{\"key\":\"k\",\"seconds\":60,\"left\":\"2026-11-24T20:00:00Z\"}"
        let bad = [
            "{\"key\":\"\",\"seconds\":60,\"left\":\"2026-11-24T20:00:00Z\"}",
            "{\"key\":\"a\",\"seconds\":-60,\"left\":\"2026-11-24T20:00:00Z\"}",
            "{\"key\":\"b\",\"seconds\":1e300,\"left\":\"2026-11-24T20:00:00Z\"}",
            "{\"key\":\"c\",\"seconds\":\"60\",\"left\":\"2026-11-24T20:00:00Z\"}",
            "{\"key\":\"d\",\"seconds\":60,\"left\":\"yesterday\"}", "{\"key\":5}", "null", "[]", "7",
            "{\"key\":\"e\",\"item\":\"\",\"left\":\"2026-11-24T20:00:00Z\"}",
        ]
        #expect(read("{\"version\":1,\"positions\":[\(([good] + bad).joined(separator: ","))]}") == .success(1))
        var random = SplitMix64(seed: 14)
        let whole = Array("{\"version\":1,\"positions\":[\(good)]}".utf8)
        for _ in 0..<2_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
            }
            _ = try? PlayPositions(parsing: bytes)
        }
    }

    @Test("Changes contain what happened to positions since the last write")
    func changes() {
        var own = PlayPositions()
        own.note(item, at: .seconds(60), of: nil, now: now)
        let first = own.changes
        own.note(item, at: .seconds(70), of: nil, now: now)
        own.wrote(first)
        #expect(own.changes == [key: PlayPosition(.left(at: .seconds(70), of: nil), left: now)])
        own.wrote(own.changes)
        #expect(own.changes.isEmpty)
        own.forget(key)
        own.forget(ItemKey(address: "http://never.example"))
        #expect(own.changes == [key: nil])
        // Another process has written two positions; the one forgotten here stays forgotten.
        var written = PlayPositions()
        let other = episode("2")
        written.apply([
            key: PlayPosition(.left(at: .seconds(99), of: nil), left: now),
            other.key: PlayPosition(.left(at: .seconds(88), of: nil), left: now),
        ])
        own.adopt(written)
        #expect(own.position(of: item) == nil && own.position(of: other) == .seconds(88))
        written.apply(own.changes)
        #expect(written.position(of: item) == nil && written.position(of: other) == .seconds(88))
    }

    @Test("Changes of positions have a total order") func totalOrder() {
        let changes: [PlayPositions.Changes.Element] = (0..<36).map { number in
            let left = number % 3 == 0 ? nil : now + .seconds(number % 4)
            return (
                ItemKey(written: "key \(number * 7 % 36)"),
                left.map { PlayPosition(.left(at: .seconds(99), of: nil), left: $0) }
            )
        }
        let isBefore = PlayPositions.order
        for first in changes {
            for second in changes where first.key != second.key {
                #expect(isBefore(first, second) != isBefore(second, first))
                for third in changes where isBefore(first, second) && isBefore(second, third) {
                    #expect(isBefore(first, third))
                }
            }
        }
    }
}
