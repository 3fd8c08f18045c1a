// SPDX-License-Identifier: MIT

import Engine
import Playback

/// A key of the player. This table defines both the key bindings and the help line.
struct PlayKey {
    /// Adjacent keys with the same `words` share one entry of the help line.
    private let label: String
    private let words: String
    private let keys: [Key]
    private let action: PlayerControls.Action

    static let all: [PlayKey] = [
        PlayKey(label: "space", words: "pause", keys: [.character(" ")], action: .ask(.togglePause)),
        PlayKey(label: "l", words: "live", keys: [.character("l"), .character("L"), .end], action: .ask(.liveEdge)),
        PlayKey(label: "←", words: "10 s", keys: [.left], action: .ask(.seek(.seconds(-10)))),
        PlayKey(label: "→", words: "10 s", keys: [.right], action: .ask(.seek(.seconds(10)))),
        PlayKey(
            label: "↓", words: "volume", keys: [.down, .character("-")], action: .ask(.changeVolume(-0.05))),
        PlayKey(
            label: "↑", words: "volume", keys: [.up, .character("+"), .character("=")],
            action: .ask(.changeVolume(0.05))),
        PlayKey(label: "m", words: "mute", keys: [.character("m"), .character("M")], action: .ask(.toggleMute)),
        PlayKey(
            label: "p", words: "previous", keys: [.character("p"), .character("P"), .character("<")],
            action: .ask(.previous)),
        PlayKey(
            label: "n", words: "next", keys: [.character("n"), .character("N"), .character(">")], action: .ask(.next)),
        PlayKey(label: "r", words: "repeat", keys: [.character("r"), .character("R")], action: .ask(.changeRepeat)),
        PlayKey(label: "s", words: "shuffle", keys: [.character("s"), .character("S")], action: .ask(.toggleShuffle)),
        PlayKey(label: "?", words: "keys", keys: [.character("?"), .character("h")], action: .help),
        // Ctrl-C normally arrives as a signal.
        PlayKey(label: "q", words: "quit", keys: [.character("q"), .character("Q"), .control("c")], action: .quit),
    ]

    /// The action of a key; nil if the key has none.
    static func action(for key: Key) -> PlayerControls.Action? { actions[key] }

    /// The properties of the current programme on which the keys depend.
    struct NowPlaying: Hashable {
        /// Whether the queue has more than one item.
        var isOneOfMany = false
        /// Whether the programme has a beginning and an end.
        var isFinite = false
    }

    /// The help line: only the keys that currently have an effect.
    static func help(_ playing: NowPlaying) -> String {
        var entries: [(labels: String, words: String)] = []
        for key in all where key.doesSomething(playing) {
            if let last = entries.last, last.words == key.words {
                entries[entries.count - 1].labels += " " + key.label
            } else {
                entries.append((key.label, key.words))
            }
        }
        return entries.map { "\($0.labels) \($0.words)" }.joined(separator: ", ")
    }

    private static let actions = Dictionary(
        all.flatMap { entry in entry.keys.map { ($0, entry.action) } }, uniquingKeysWith: { first, _ in first })

    private func doesSomething(_ playing: NowPlaying) -> Bool {
        switch action {
        case .ask(.next), .ask(.toggleShuffle): playing.isOneOfMany
        // A live stream has no beginning to return to.
        case .ask(.previous), .ask(.changeRepeat): playing.isOneOfMany || playing.isFinite
        case .ask(.liveEdge): !playing.isFinite
        default: true
        }
    }
}

extension PlayKey.NowPlaying {
    /// `progress` is nil while nothing is known yet.
    init(_ progress: PlayProgress?) {
        self.init(
            isOneOfMany: progress?.queue.map { $0.count > 1 } ?? false,
            isFinite: progress?.queue.map(\.isFinite) ?? false)
    }
}
