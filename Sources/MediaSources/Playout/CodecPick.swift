// SPDX-License-Identifier: MIT

import Platform
import RadioCore
import RadioFormats

/// Which codec a programme has: one for all of it, as nothing is transcoded. A value.
struct CodecPick {
    private(set) var codec: Codec?

    /// Whether frames of this codec are played. The first that are seen decide, where nothing has.
    mutating func accepts(_ codec: Codec) -> Bool {
        self.codec = self.codec ?? codec
        return codec == self.codec
    }

    /// Of the kinds of audio that names tell the most frequent decides, and of its items the first that can be played;
    /// where there is none, the first of all. Reads the beginnings of items, and blocks where those are files.
    mutating func choose(from items: [MediaItem], _ stop: StopFlag?) {
        let items = items.filter { !$0.isStream }
        let kinds = items.map(Self.kind)
        var counts: [Container: Int] = [:]
        for case let kind? in kinds { counts[kind, default: 0] += 1 }
        // Where names leave no choice the first frame decides, and nothing need be read twice.
        guard counts.count > 1 || kinds.contains(nil) else { return }
        let weights = kinds.map { kind in kind.flatMap { counts[$0] } ?? 0 }
        let ranked = items.indices.sorted { weights[$0] == weights[$1] ? $0 < $1 : weights[$0] > weights[$1] }
        for index in ranked where stop?.isRaised != true {
            codec = Self.codec(of: items[index], stop)
            if codec != nil { return }
        }
    }

    /// What its name tells; nil where that is nothing, or no audio.
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
