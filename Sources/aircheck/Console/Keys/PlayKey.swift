// SPDX-License-Identifier: MIT

import Engine

/// The keys of a player: the one table that both the keyboard and the line of help are made from.
struct PlayKey {
    /// Together with a neighbour of the same words it is one entry of the help.
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
        // Ctrl-C is a signal as a rule.
        PlayKey(label: "q", words: "quit", keys: [.character("q"), .character("Q"), .control("c")], command: .quit),
    ]

    /// What a key means; nil where that is nothing.
    static func command(for key: Key) -> KeyCommand? { commands[key] }

    /// What is heard, as far as keys depend on it.
    struct Heard: Hashable {
        /// Whether there is more than one item.
        var isOneOfMany = false
        /// Whether it has a beginning and an end.
        var isFinite = false
    }

    /// One line that names those that do something.
    static func help(_ heard: Heard) -> String {
        var entries: [(labels: String, words: String)] = []
        for key in all where key.doesSomething(heard) {
            if let last = entries.last, last.words == key.words {
                entries[entries.count - 1].labels += " " + key.label
            } else {
                entries.append((key.label, key.words))
            }
        }
        return entries.map { "\($0.labels) \($0.words)" }.joined(separator: "  ")
    }

    private static let commands = Dictionary(
        all.flatMap { entry in entry.keys.map { ($0, entry.command) } }, uniquingKeysWith: { first, _ in first })

    private func doesSomething(_ heard: Heard) -> Bool {
        switch command {
        case .next, .toggleShuffle: heard.isOneOfMany
        // What has no beginning cannot begin anew.
        case .previous, .changeRepeat: heard.isOneOfMany || heard.isFinite
        case .goLive: !heard.isFinite
        default: true
        }
    }
}

extension PlayKey.Heard {
    /// `progress` is nil where nothing is known of it yet.
    init(_ progress: PlayProgress?) {
        self.init(
            isOneOfMany: progress?.queue.map { $0.count > 1 } ?? false,
            isFinite: progress?.queue.map(\.isFinite) ?? false)
    }
}
