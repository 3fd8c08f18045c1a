// SPDX-License-Identifier: MIT

/// The order of channels in the output of every decoder. It is the order of WAVE files, which FLAC uses as well: left,
/// right, centre, low frequencies, back left, back right, (back centre,) side left, side right. A format has some of
/// these channels, in this order.
enum ChannelOrder {
    /// For each output channel, its index in a Vorbis stream (Vorbis I §4.3.9; Opus has the same order).
    static func ofVorbis(_ channels: Int) -> [UInt8] {
        switch channels {
        // Left, centre, right, then the rear channels.
        case 3: [0, 2, 1]
        case 5: [0, 2, 1, 3, 4]
        // Low frequencies come last.
        case 6: [0, 2, 1, 5, 3, 4]
        case 7: [0, 2, 1, 6, 5, 3, 4]
        case 8: [0, 2, 1, 7, 5, 6, 3, 4]
        default: (0..<UInt8(clamping: channels)).map { $0 }
        }
    }
}
