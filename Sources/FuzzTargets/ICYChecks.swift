// SPDX-License-Identifier: MIT

import Platform
import RadioFormats

/// Checks audio with metadata. The first two bytes of an input are the interval, the rest is the body.
enum ICYChecks {
    static func complaint(about bytes: [UInt8]) -> String? {
        guard bytes.count > 2 else { return nil }
        let interval = Int(bytes[0]) << 8 | Int(bytes[1])
        let body = Array(bytes[2...])
        let whole = Outcome(of: [body[...]], interval: interval)
        if whole != Outcome(of: InputSplit.pieces(of: body), interval: interval) {
            return "another split, another stream"
        }
        if interval == 0, whole.audio != body { return "without an interval all is audio" }
        var previous: [UInt8]?
        for block in whole.blocks {
            if block.bytes.isEmpty || block.bytes.count % 16 != 0 { return "a block of \(block.bytes.count) bytes" }
            let cost = CountedBytes.cost(of: block.bytes) { _ = ICYMetadata(reading: $0, after: previous) }
            if cost > ICYCost.most { return "\(cost) looks at each byte of a block" }
            let metadata = ICYMetadata(block.bytes, after: previous)
            if let complaint = complaint(about: metadata, of: block.bytes) { return complaint }
            previous = block.bytes
        }
        return nil
    }

    private static func complaint(about metadata: ICYMetadata, of block: [UInt8]) -> String? {
        let length = metadata.fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.count }
        if length > block.count { return "more in the fields than in the block" }
        guard let raw = metadata.title else { return nil }
        for charset in [nil, Charset.windows1251, .shiftJIS, .iso2022JP] {
            let title = CharsetDecoder(configured: charset, convert: SystemCharsets.convert).title(raw)
            if TitleText.cleaned(title) != title { return "a title that could be cleaned again" }
            if title.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                return "a control character in a title"
            }
            let encoded = ICYMetadata.encoded(title: title)
            if encoded.count != 1 + 16 * Int(encoded[0]) { return "a block that is not as long as it says" }
        }
        return nil
    }

    private struct Outcome: Equatable {
        private(set) var audio: [UInt8] = []
        private(set) var blocks: [ICYBlock] = []

        init(of pieces: [ArraySlice<UInt8>], interval: Int) {
            var demuxer = ICYDemuxer(interval: interval)
            for piece in pieces {
                piece.withUnsafeBytes { input in
                    var offset = 0
                    while let event = demuxer.next(in: input, at: &offset) {
                        switch event {
                        case .audio(let range): audio += input[range]
                        case .metadata(let block): blocks.append(block)
                        }
                    }
                }
            }
        }
    }
}
