// SPDX-License-Identifier: MIT

import Engine
import Playback

/// A key of the player. This table defines both the key bindings and the help line.
struct PlayKey {
    /// Adjacent keys with the same `words` share one entry of the help line.
    private let label: String
    private let words: String
    private let keys: [Key]
    private let command: KeyCommand

    static let all: [PlayKey] = [
        PlayKey(label: "space", words: "pause", keys: [.character(" ")], command: .togglePause),
        PlayKey(label: "l", words: "live", keys: [.character("l"), .character("L"), .end], command: .goLive),
        PlayKey(label: "←", words: "10 s", keys: [.left], command: .seek(by: .seconds(-10))),
        PlayKey(label: "→", words: "10 s", keys: [.right], command: .seek(by: .seconds(10))),
        PlayKey(
            label: "↓", words: "volume", keys: [.down, .character("-")], command: .changeVolume(by: -0.05)),
        PlayKey(
            label: "↑", words: "volume", keys: [.up, .character("+"), .character("=")],
            command: .changeVolume(by: 0.05)),
        PlayKey(label: "m", words: "mute", keys: [.character("m"), .character("M")], command: .toggleMute),
        PlayKey(
            label: "p", words: "previous", keys: [.character("p"), .character("P"), .character("<")],
            command: .previous),
        PlayKey(label: "n", words: "next", keys: [.character("n"), .character("N"), .character(">")], command: .next),
        PlayKey(label: "r", words: "repeat", keys: [.character("r"), .character("R")], command: .changeRepeat),
        PlayKey(label: "s", words: "shuffle", keys: [.character("s"), .character("S")], command: .toggleShuffle),
        PlayKey(label: "?", words: "keys", keys: [.character("?"), .character("h")], command: .showHelp),
        // Ctrl-C normally arrives as a signal.
        PlayKey(label: "q", words: "quit", keys: [.character("q"), .character("Q"), .control("c")], command: .quit),
    ]

    /// The command for a key; nil if the key has none.
    static func command(for key: Key) -> KeyCommand? { commands[key] }

    /// The properties of the current programme on which the keys depend.
    struct Heard: Hashable {
        /// Whether the queue has more than one item.
        var isOneOfMany = false
        /// Whether the programme has a beginning and an end.
        var isFinite = false
    }

    /// The help line: only the keys that currently have an effect.
    static func help(_ heard: Heard) -> String {
        var entries: [(labels: String, words: String)] = []
        for key in all where key.doesSomething(heard) {
            if let last = entries.last, last.words == key.words {
                entries[entries.count - 1].labels += " " + key.label
            } else {
                entries.append((key.label, key.words))
            }
        }
        return entries.map { "\($0.labels) \($0.words)" }.joined(separator: ", ")
    }

    private static let commands = Dictionary(
        all.flatMap { entry in entry.keys.map { ($0, entry.command) } }, uniquingKeysWith: { first, _ in first })

    private func doesSomething(_ heard: Heard) -> Bool {
        switch command {
        case .next, .toggleShuffle: heard.isOneOfMany
        // A live stream has no beginning to return to.
        case .previous, .changeRepeat: heard.isOneOfMany || heard.isFinite
        case .goLive: !heard.isFinite
        default: true
        }
    }
}

extension PlayKey.Heard {
    /// `progress` is nil while nothing is known yet.
    init(_ progress: PlayProgress?) {
        self.init(
            isOneOfMany: progress?.queue.map { $0.count > 1 } ?? false,
            isFinite: progress?.queue.map(\.isFinite) ?? false)
    }
}
