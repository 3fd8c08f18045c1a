// SPDX-License-Identifier: MIT

/// Audio with ICY metadata blocks between it, as a station with `icy-metaint` sends it.
package struct ICYBody: Sendable {
    /// What goes over the wire after the head.
    package private(set) var bytes: [UInt8] = []
    /// For each title, the count of audio bytes that stand before its block.
    package private(set) var titleOffsets: [Int] = []

    /// Puts a block after every `interval` bytes of audio: an empty one, or that of a title which is due.
    ///
    /// - Parameters:
    ///   - audio: The stream without metadata.
    ///   - interval: Bytes of audio between blocks, at least 1.
    ///   - titles: Titles with the count of audio bytes from which on they are due, in order. A title goes out with the
    ///     first block at or after that count; two that are due at once take two blocks.
    package init(_ audio: [UInt8], interval: Int, titles: [(from: Int, title: String)]) {
        var waiting = titles[...]
        bytes.reserveCapacity(audio.count + audio.count / interval + 4096)
        for start in stride(from: 0, to: audio.count, by: interval) {
            let end = min(start + interval, audio.count)
            bytes += audio[start..<end]
            guard end - start == interval else { break }
            if let next = waiting.first, next.from <= end {
                bytes += Self.block("StreamTitle='\(next.title)';")
                titleOffsets.append(end)
                waiting = waiting.dropFirst()
            } else {
                bytes.append(0)
            }
        }
    }

    /// One metadata block: its length in units of 16 bytes, and its text padded with zeros (at most 4080 bytes).
    package static func block(_ text: String) -> [UInt8] {
        let text = Array(text.utf8.prefix(255 * 16))
        let units = (text.count + 15) / 16
        return [UInt8(units)] + text + [UInt8](repeating: 0, count: units * 16 - text.count)
    }
}
