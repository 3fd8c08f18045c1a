// SPDX-License-Identifier: MIT

import Control
import Instants
import Testing

struct MPRISPropertiesTests {
    private let start = MonotonicInstant(nanoseconds: 5_000_000_000)

    @Test("Only properties that have changed are reported as changes")
    func changes() {
        var state = MPRISState()
        state.station = "FIP"
        let before = MPRISProperties.player(state, track: 1)
        #expect(names(MPRISProperties.changes(from: before, to: before)) == [])
        state.volume = 0.3
        #expect(names(MPRISProperties.changes(from: before, to: MPRISProperties.player(state, track: 1))) == ["Volume"])
        state.status = .playing
        state.title = "A - B"
        let after = MPRISProperties.player(state, track: 2)
        #expect(names(MPRISProperties.changes(from: before, to: after)) == ["PlaybackStatus", "Metadata", "Volume"])
    }

    @Test("A change of the position alone is not a change of a property")
    func position() {
        var state = MPRISState()
        let before = MPRISProperties.player(state, track: 0)
        state.position = MPRISPosition(read: .seconds(5), at: start, isMoving: true)
        #expect(MPRISProperties.player(state, track: 0) == before)
    }

    @Test("LoopStatus and Shuffle exist only while there is a queue")
    func queue() {
        var state = MPRISState()
        let without = MPRISProperties.player(state, track: 0)
        state.queue = .init(loop: .queue, isShuffled: true)
        let with = MPRISProperties.player(state, track: 0)
        #expect(names(MPRISProperties.changes(from: without, to: with)) == ["LoopStatus", "Shuffle"])
        #expect(MPRISProperties.changes(from: with, to: without).gone == ["LoopStatus", "Shuffle"])
    }

    @Test(
        "A title is split into artist and title, and a station's name replaces a missing title",
        arguments: [
            ("Nina Simone - Sinnerman", "Sinnerman", ["Nina Simone"]), ("A-ha – Take On Me", "Take On Me", ["A-ha"]),
            ("News", "News", nil), (nil, "FIP", nil), ("  \u{1B} ", "FIP", nil),
        ] as [(String?, String, [String]?)])
    func titles(title: String?, shown: String, artists: [String]?) {
        var state = MPRISState()
        (state.station, state.title) = ("FIP", title)
        let metadata = metadata(state)
        #expect(metadata["xesam:title"] == .string(shown))
        #expect(metadata["xesam:artist"] == artists.map { .strings($0) })
        #expect(metadata["xesam:album"] == .string("FIP"))
        #expect(metadata["mpris:length"] == nil)
    }

    @Test(
        "Addresses are shown without user names, passwords and queries",
        arguments: [
            ("https://anna:s3cret@example.org/a@b", "https://example.org/a@b"),
            ("https://a@b@example.org", "https://example.org"),
            ("https://example.org/?q=@", "https://example.org/"),
            ("music/a@b.mp3", "music/a@b.mp3"),
        ])
    func addresses(url: String, shown: String) {
        var state = MPRISState()
        state.url = url
        #expect(metadata(state)["xesam:url"] == .string(shown))
    }

    @Test("The position moves with the clock, between zero and the length")
    func movingPosition() {
        var state = MPRISState()
        state.position = MPRISPosition(read: .seconds(10), at: start, isMoving: true)
        #expect(MPRISProperties.position(state, at: start + .seconds(2)).value == .integer(12_000_000))
        state.length = .seconds(11)
        #expect(MPRISProperties.position(state, at: start + .seconds(2)).value == .integer(11_000_000))
        state.position = MPRISPosition(read: .seconds(-10), at: start)
        #expect(MPRISProperties.position(state, at: start).value == .integer(0))
        state.length = nil
        state.position = MPRISPosition(read: .seconds(Int64.max), at: start, isMoving: true)
        let furthest = MPRISProperties.position(state, at: start + .seconds(2)).value
        #expect(furthest == .integer(1_000_000_000_000_000))
    }

    @Test("A jump is a position that the clock does not explain, or a track that does not begin at zero")
    func jumps() {
        var state = MPRISState()
        state.position = MPRISPosition(read: .seconds(10), at: start, isMoving: true)
        let later = start + .seconds(5)
        func moved(to seconds: Int, title: String? = nil) -> Bool {
            var next = state
            next.title = title
            next.position = MPRISPosition(read: .seconds(seconds), at: later, isMoving: true)
            return next.hasJumped(since: state, at: later)
        }
        #expect(!moved(to: 15) && !moved(to: 14))
        #expect(moved(to: 25) && moved(to: 5))
        #expect(moved(to: 15, title: "New") && !moved(to: 0, title: "New"))
    }

    @Test("A volume that is not a number is shown as zero")
    func volume() {
        for (volume, shown) in [(Double.nan, 0.0), (-1, 0), (7, 1), (0.5, 0.5)] {
            var state = MPRISState()
            state.volume = volume
            #expect(MPRISProperties.player(state, track: 0).contains(BusEntry("Volume", .real(shown))))
        }
    }

    private func metadata(_ state: MPRISState) -> [String: BusValue] {
        for entry in MPRISProperties.player(state, track: 1) {
            if entry.name == "Metadata", case .dictionary(let entries) = entry.value {
                return Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.value) })
            }
        }
        return [:]
    }

    private func names(_ changes: (changed: [BusEntry], gone: [String])) -> [String] { changes.changed.map(\.name) }
}
