// SPDX-License-Identifier: MIT

import RadioFormats

/// A body with titles in it.
enum ICYBlocks {
    /// Splits a body into its audio and its titles; nil if a block is in the wrong place.
    static func split(_ body: [UInt8], interval: Int) -> (audio: [UInt8], blocks: [(title: String, offset: Int)])? {
        var audio: [UInt8] = []
        var blocks: [(String, Int)] = []
        var rest = body[...]
        while rest.count > interval {
            audio += rest.prefix(interval)
            rest = rest.dropFirst(interval)
            let length = Int(rest.removeFirst()) * 16
            guard length > 0 else { continue }
            guard rest.count >= length else { break }
            guard let title = ICYMetadata(Array(rest.prefix(length))).title else { return nil }
            blocks.append((String(decoding: title, as: UTF8.self), audio.count))
            rest = rest.dropFirst(length)
        }
        return (audio + rest.prefix(interval), blocks)
    }
}
