// SPDX-License-Identifier: MIT

/// Splits a stream into audio and metadata.
package enum ICYSplit {
    package struct Block {
        /// The number of bytes of audio before the block.
        package let offset: Int
        /// Nil if the block is empty.
        package let title: String?
    }

    /// The audio of a body that has metadata after each `interval` bytes of it, and all blocks of metadata.
    package static func split(_ body: [UInt8], interval: Int) -> (audio: [UInt8], blocks: [Block]) {
        var (audio, blocks): ([UInt8], [Block]) = ([], [])
        var rest = body[...]
        while !rest.isEmpty {
            audio += rest.prefix(interval)
            rest = rest.dropFirst(interval)
            guard let length = rest.first else { break }
            let text = String(decoding: rest.dropFirst().prefix(Int(length) * 16), as: UTF8.self)
            let title = text.firstMatch(of: /StreamTitle='(.*?)';/).map { String($0.output.1) }
            blocks.append(Block(offset: audio.count, title: title))
            rest = rest.dropFirst(1 + Int(length) * 16)
        }
        return (audio, blocks)
    }
}

extension [ICYSplit.Block] {
    /// The blocks that are not empty.
    package var titled: Self { filter { $0.title != nil } }
}
