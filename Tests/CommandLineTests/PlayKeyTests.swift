// SPDX-License-Identifier: MIT

import Playback
import Testing

@testable import aircheck

struct PlayKeyTests {
    @Test(
        "Each key does what the help says",
        arguments: [
            (.character(" "), .ask(.togglePause)), (.character("l"), .ask(.liveEdge)), (.end, .ask(.liveEdge)),
            (.left, .ask(.seek(.seconds(-10)))), (.right, .ask(.seek(.seconds(10)))),
            (.up, .ask(.changeVolume(0.05))), (.character("+"), .ask(.changeVolume(0.05))),
            (.down, .ask(.changeVolume(-0.05))), (.character("-"), .ask(.changeVolume(-0.05))),
            (.character("m"), .ask(.toggleMute)), (.character("n"), .ask(.next)), (.character(">"), .ask(.next)),
            (.character("p"), .ask(.previous)), (.character("<"), .ask(.previous)), (.character("q"), .quit),
            (.control("c"), .quit), (.character("r"), .ask(.changeRepeat)),
            (.character("s"), .ask(.toggleShuffle)), (.character("?"), .help),
        ] as [(Key, PlayerControls.Action)])
    func meanings(key: Key, action: PlayerControls.Action) {
        #expect(PlayKey.action(for: key) == action)
    }

    @Test("Other keys do nothing", arguments: [.escape, .enter, .character("x"), .control("z"), .home] as [Key])
    func others(key: Key) {
        #expect(PlayKey.action(for: key) == nil)
    }

    @Test("The help line has only the keys that do something for what is being played")
    func help() {
        let station = PlayKey.help(PlayKey.NowPlaying(nil))
        #expect(station == "space pause, l live, ← → 10 s, ↓ ↑ volume, m mute, ? keys, q quit")
        let file = "space pause, ← → 10 s, ↓ ↑ volume, m mute, p previous, r repeat, ? keys, q quit"
        #expect(PlayKey.help(PlayKey.NowPlaying(isFinite: true)) == file)
        let files =
            "space pause, ← → 10 s, ↓ ↑ volume, m mute, p previous, n next, r repeat, s shuffle, ? keys, q quit"
        #expect(PlayKey.help(PlayKey.NowPlaying(isOneOfMany: true, isFinite: true)) == files)
        let line =
            "space pause, l live, ← → 10 s, ↓ ↑ volume, m mute, p previous, n next, r repeat, s shuffle, ? keys, q quit"
        #expect(PlayKey.help(PlayKey.NowPlaying(isOneOfMany: true)) == line)
        #expect(DisplayWidth.of(station) < 80)
    }
}
