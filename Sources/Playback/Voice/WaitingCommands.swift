// SPDX-License-Identifier: MIT

/// Commands that a voice has not taken yet. While a sound server hangs, the voice's thread takes no commands; until it
/// takes them, the last command for each setting is kept.
package struct WaitingCommands: Sendable {
    private var rate: VoiceCommand?
    private var volume: VoiceCommand?
    private var mute: VoiceCommand?
    private var title: VoiceCommand?
    /// The last `sound`, `hush` or `close`; nothing replaces a `close`.
    private var sounding: VoiceCommand?

    package mutating func put(_ command: VoiceCommand) {
        switch command {
        case .rate: rate = command
        case .volume: volume = command
        case .mute: mute = command
        case .title: title = command
        case .close: sounding = command
        case .sound, .hush:
            if case .close = sounding { return }
            sounding = command
        }
    }

    /// Removes and returns all commands. The command that starts or stops the sound comes last.
    package mutating func take() -> [VoiceCommand] {
        defer { self = WaitingCommands() }
        return [rate, volume, mute, title, sounding].compactMap(\.self)
    }
}
