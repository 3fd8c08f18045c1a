// SPDX-License-Identifier: MIT

import Testing

@testable import aircheck

struct PlayKeyTests {
    @Test(
        "Each key does what the help says",
        arguments: [
            (.character(" "), .togglePause), (.character("l"), .goLive), (.end, .goLive),
            (.left, .seek(by: .seconds(-10))), (.right, .seek(by: .seconds(10))), (.up, .changeVolume(by: 0.05)),
            (.character("+"), .changeVolume(by: 0.05)), (.down, .changeVolume(by: -0.05)),
            (.character("-"), .changeVolume(by: -0.05)), (.character("m"), .toggleMute), (.character("n"), .next),
            (.character(">"), .next), (.character("p"), .previous), (.character("<"), .previous),
            (.character("q"), .quit), (.control("c"), .quit), (.character("r"), .changeRepeat),
            (.character("s"), .toggleShuffle), (.character("?"), .showHelp),
        ] as [(Key, KeyCommand)])
    func meanings(key: Key, command: KeyCommand) {
        #expect(PlayKey.command(for: key) == command)
    }

    @Test("Other keys do nothing", arguments: [.escape, .enter, .character("x"), .control("z"), .home] as [Key])
    func others(key: Key) {
        #expect(PlayKey.command(for: key) == nil)
    }

    @Test("The help line has only the keys that do something for what is being played")
    func help() {
        let station = PlayKey.help(PlayKey.Heard(nil))
        #expect(station == "space pause, l live, ← → 10 s, ↓ ↑ volume, m mute, ? keys, q quit")
        let file = "space pause, ← → 10 s, ↓ ↑ volume, m mute, p previous, r repeat, ? keys, q quit"
        #expect(PlayKey.help(PlayKey.Heard(isFinite: true)) == file)
        let files =
            "space pause, ← → 10 s, ↓ ↑ volume, m mute, p previous, n next, r repeat, s shuffle, ? keys, q quit"
        #expect(PlayKey.help(PlayKey.Heard(isOneOfMany: true, isFinite: true)) == files)
        let line =
            "space pause, l live, ← → 10 s, ↓ ↑ volume, m mute, p previous, n next, r repeat, s shuffle, ? keys, q quit"
        #expect(PlayKey.help(PlayKey.Heard(isOneOfMany: true)) == line)
        #expect(DisplayWidth.of(station) < 80)
    }
}
