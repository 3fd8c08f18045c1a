// SPDX-License-Identifier: MIT

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

    /// Of items of several kinds the most frequent kind decides, and of those of one kind the first that can be played.
    /// Reads the beginnings of items, and blocks where those are files.
    mutating func choose(from items: [MediaItem], _ stop: StopSignal?) {
        let items = items.filter { !$0.isStream }
        var counts: [ContentGuess: Int] = [:]
        for item in items { counts[Self.kind(of: item), default: 0] += 1 }
        guard counts.count > 1 else { return }
        let ranked = items.enumerated().sorted { one, other in
            let (many, few) = (counts[Self.kind(of: one.element)] ?? 0, counts[Self.kind(of: other.element)] ?? 0)
            return many == few ? one.offset < other.offset : many > few
        }
        for (_, item) in ranked where stop?.isRaised != true {
            codec = Self.codec(of: item, stop)
            if codec != nil { return }
        }
    }

    /// As its name tells; what that says nothing of is a kind of its own.
    private static func kind(of item: MediaItem) -> ContentGuess {
        let recognizer = StreamRecognizer(contentType: nil, url: item.name)
        return recognizer.guess(UnsafeRawBufferPointer(start: nil, count: 0), isComplete: true)
    }

    private static func codec(of item: MediaItem, _ stop: StopSignal?) -> Codec? {
        guard var open = try? OpenItem(item, stop) else { return nil }
        while case .read = open.read() {
            while let event = open.next() {
                if case .format(let format) = event { return format.codec }
            }
        }
        return nil
    }
}

extension Codec {
    /// For people.
    var words: String {
        switch self {
        case .mp1, .mp2, .mp3: rawValue.uppercased()
        case .aac: "AAC"
        case .vorbis: "Ogg Vorbis"
        case .opus: "Opus"
        case .flac: "FLAC"
        }
    }
}
