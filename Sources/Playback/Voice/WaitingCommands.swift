// SPDX-License-Identifier: MIT

/// What a voice is still to be told. Its thread may not listen for as long as a sound server hangs, and nothing that
/// was said meanwhile is lost: of all that sets the same thing, the last one counts.
package struct WaitingCommands: Sendable {
    private var rate: VoiceCommand?
    private var volume: VoiceCommand?
    private var mute: VoiceCommand?
    private var title: VoiceCommand?
    /// Whether it is to be heard; nothing takes back that it is to close.
    private var sounding: VoiceCommand?

    package init() {}

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

    /// How it is to sound comes first, then whether it does.
    package mutating func take() -> [VoiceCommand] {
        defer { self = WaitingCommands() }
        return [rate, volume, mute, title, sounding].compactMap(\.self)
    }
}
