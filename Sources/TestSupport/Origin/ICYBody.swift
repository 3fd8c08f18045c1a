// SPDX-License-Identifier: MIT

/// Audio with interleaved ICY metadata blocks, as a station with `icy-metaint` sends it.
package struct ICYBody: Sendable {
    /// The response body as it is sent.
    package private(set) var bytes: [UInt8] = []
    /// For each title, the number of audio bytes before its block.
    package private(set) var titleOffsets: [Int] = []

    /// Inserts a block after every `interval` bytes of audio: an empty block, or the block of a title that is due.
    ///
    /// - Parameters:
    ///   - audio: The audio without metadata.
    ///   - interval: The number of audio bytes between blocks, at least 1.
    ///   - titles: The titles in order, each with the number of audio bytes after which it is due. A title is sent in
    ///     the first block at or after that number. Two titles that are due at the same time take two blocks.
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

    /// One metadata block: a length in units of 16 bytes, and the text padded with zeros. Text beyond 4,080 bytes is
    /// cut off.
    package static func block(_ text: String) -> [UInt8] {
        let text = Array(text.utf8.prefix(255 * 16))
        let units = (text.count + 15) / 16
        return [UInt8(units)] + text + [UInt8](repeating: 0, count: units * 16 - text.count)
    }
}
