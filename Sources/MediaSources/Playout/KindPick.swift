// SPDX-License-Identifier: MIT

import Platform
import RadioCore
import RadioFormats

/// Picks the kind of a programme's audio: one kind for all of it, because nothing is transcoded, and because the
/// decoders of browsers give up where the sample rate or the number of channels changes.
struct KindPick {
    private(set) var kind: AudioKind?

    /// The number of items whose beginnings are read to find the most frequent kind. Of a larger collection, items at
    /// even distances are read, because the first song must not wait until thousands of files have been opened.
    private static let mostRead = 32

    /// Whether frames of this kind are played. Picks it if no kind has been picked yet.
    mutating func accepts(_ kind: AudioKind) -> Bool {
        self.kind = self.kind ?? kind
        return kind == self.kind
    }

    /// Picks the most frequent kind of the items; of several, the one that comes first. Reads the beginnings of items,
    /// and blocks if they are files.
    mutating func choose(from items: [MediaItem], _ stop: StopFlag?) {
        let items = items.filter { !$0.isStream }
        // The first frame that is played decides, so that nothing is read twice.
        guard items.count > 1 else { return }
        let named = items.filter(Self.isNamedAsAudio)
        let candidates = named.isEmpty ? items : named
        let sample = Self.spread(candidates)
        kind = Self.mostFrequent(sample.compactMap { Self.kind(of: $0, stop) })
        if kind != nil { return }
        // Names can be wrong, and a sample can miss the few items that are audio.
        let read = Set(sample.map(\.key))
        for item in items where !read.contains(item.key) && stop?.isRaised != true {
            kind = Self.kind(of: item, stop)
            if kind != nil { return }
        }
    }

    /// As many of the items as may be read, at even distances.
    private static func spread(_ items: [MediaItem]) -> [MediaItem] {
        let count = min(items.count, mostRead)
        return (0..<count).map { items[$0 * items.count / count] }
    }

    private static func mostFrequent(_ kinds: [AudioKind]) -> AudioKind? {
        var counts: [AudioKind: Int] = [:]
        for kind in kinds { counts[kind, default: 0] += 1 }
        let most = counts.values.max()
        return kinds.first { counts[$0] == most }
    }

    private static func isNamedAsAudio(_ item: MediaItem) -> Bool {
        let recognizer = StreamRecognizer(contentType: nil, url: item.name)
        let guess = recognizer.guess(UnsafeRawBufferPointer(start: nil, count: 0), isComplete: true)
        return switch guess {
        case .audio, .wrapped: true
        default: false
        }
    }

    /// The kind of the item's first audio; nil if it has none that can be played.
    private static func kind(of item: MediaItem, _ stop: StopFlag?) -> AudioKind? {
        guard stop?.isRaised != true, var open = try? PlayoutItem(item, stop) else { return nil }
        while case .parts(let parts) = open.read() {
            if let format = parts.firstFormat { return format.kind }
        }
        return nil
    }
}
