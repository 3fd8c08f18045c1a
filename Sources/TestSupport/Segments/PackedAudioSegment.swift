// SPDX-License-Identifier: MIT

/// Makes a segment of packed audio (RFC 8216 §3.4): a tag with the time of the first frame, then frames.
package enum PackedAudioSegment {
    /// The segment whose first frame has this time in ticks of 90 kHz; nil for no time. `tagFrames` are further frames of
    /// the tag, each with its head (``tagFrame(_:_:)``). Without a time and frames, there is no tag.
    package static func bytes(
        _ frames: some Sequence<[UInt8]>, time: Int64?, tagFrames: [[UInt8]] = []
    ) -> [UInt8] {
        let tag = tag((time.map { [timeFrame($0)] } ?? []) + tagFrames)
        return (time == nil && tagFrames.isEmpty ? [] : tag) + frames.joined()
    }

    /// An ID3v2.4 tag.
    package static func tag(_ frames: [[UInt8]]) -> [UInt8] {
        let body = frames.flatMap { $0 }
        return Array("ID3".utf8) + [4, 0, 0] + synchsafe(body.count) + body
    }

    /// A frame of a tag.
    package static func tagFrame(_ id: String, _ content: [UInt8]) -> [UInt8] {
        Array(id.utf8) + synchsafe(content.count) + [0, 0] + content
    }

    /// A text of a tag, in UTF-8.
    package static func text(_ id: String, _ text: String) -> [UInt8] { tagFrame(id, [3] + Array(text.utf8)) }

    /// The private frame that says when the first frame is presented.
    package static func timeFrame(_ time: Int64) -> [UInt8] {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * $0)) }
        return tagFrame("PRIV", Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0] + bytes)
    }

    private static func synchsafe(_ value: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(value >> $0 & 0x7F) } }
}
