// SPDX-License-Identifier: MIT

import Platform
import RadioCore
import RadioFormats

/// Picks the codec of a programme: one codec for all of it, because nothing is transcoded.
struct CodecPick {
    private(set) var codec: Codec?

    /// Whether frames of this codec are played. Picks it if no codec has been picked yet.
    mutating func accepts(_ codec: Codec) -> Bool {
        self.codec = self.codec ?? codec
        return codec == self.codec
    }

    /// Picks the codec of the first playable item. Tries the most frequent kind of audio first, judging by the items'
    /// names. Reads the beginnings of items, and blocks if they are files.
    mutating func choose(from items: [MediaItem], _ stop: StopFlag?) {
        let items = items.filter { !$0.isStream }
        let kinds = items.map(Self.kind)
        var counts: [Container: Int] = [:]
        for case let kind? in kinds { counts[kind, default: 0] += 1 }
        // If all names suggest the same kind of audio, the first frame played decides on the codec, so that nothing is
        // read twice.
        guard counts.count > 1 || kinds.contains(nil) else { return }
        let weights = kinds.map { kind in kind.flatMap { counts[$0] } ?? 0 }
        let ranked = items.indices.sorted { weights[$0] == weights[$1] ? $0 < $1 : weights[$0] > weights[$1] }
        for index in ranked where stop?.isRaised != true {
            codec = Self.codec(of: items[index], stop)
            if codec != nil { return }
        }
    }

    /// The kind of audio that the item's name suggests; nil if it suggests none.
    private static func kind(of item: MediaItem) -> Container? {
        let recognizer = StreamRecognizer(contentType: nil, url: item.name)
        let guess = recognizer.guess(UnsafeRawBufferPointer(start: nil, count: 0), isComplete: true)
        if case .audio(let kind) = guess { return kind }
        return nil
    }

    private static func codec(of item: MediaItem, _ stop: StopFlag?) -> Codec? {
        guard var open = try? OpenItem(item, stop) else { return nil }
        while case .read = open.read() {
            while let event = open.next() {
                if case .format(let format) = event { return format.codec }
            }
        }
        return nil
    }
}
