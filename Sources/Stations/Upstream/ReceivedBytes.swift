// SPDX-License-Identifier: MIT

/// What is remembered of the bytes of a file, so that those of another response can be held against them: a pure value.
///
/// It is a fingerprint of all bytes from the first one on, as it stood at regular places, the marks. There is one every
/// 4 KiB of the first MiB and of the last 64 KiB, however many bytes there were: a response that begins at the start or
/// near the end, and is of other bytes, is told within 4 KiB. In between there are 4,096 marks at the most: where more
/// are needed every other one is forgotten. The bytes need not withstand somebody who wants others to look like them:
/// all that a server can spoil is its own file.
struct ReceivedBytes {
    /// How many there were.
    private(set) var count: Int64 = 0
    private var fingerprint = RunningFingerprint()
    /// The fingerprint at the first multiples of ``step``, from 0 on. The whole MiB, not only what tells one file from
    /// another: a station may send the same advert at the beginning of each connection.
    private var start: [RunningFingerprint] = [RunningFingerprint()]
    /// The same at the last multiples; the place of each is its number modulo ``mostAtEnd``.
    private var end: [RunningFingerprint] = []
    /// The same at each multiple of ``spacing``, from 0 on.
    private var thinned: [RunningFingerprint] = [RunningFingerprint()]
    private var spacing = step

    /// Bytes between two marks where none is forgotten.
    private static let step: Int64 = 4_096
    private static let mostAtStart = 256
    private static let mostAtEnd = 16
    private static let mostThinned = 4_096
    /// At least this many bytes come again.
    private static let leastOverlap: Int64 = 1_024

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let next = Self.next(after: count)
            let piece = rest.prefix(Int(clamping: next - count))
            fingerprint.add(UnsafeRawBufferPointer(rebasing: piece))
            count += Int64(piece.count)
            rest = rest[piece.endIndex...]
            if count == next { mark() }
        }
    }

    private mutating func mark() {
        if start.count < Self.mostAtStart { start.append(fingerprint) }
        let slot = Self.slot(count)
        if slot < end.count { end[slot] = fingerprint } else { end.append(fingerprint) }
        guard count % spacing == 0 else { return }
        thinned.append(fingerprint)
        guard thinned.count > Self.mostThinned else { return }
        thinned = stride(from: 0, to: thinned.count, by: 2).map { thinned[$0] }
        spacing *= 2
    }

    /// The fingerprint of all bytes before a place; nil where there is no mark.
    fileprivate func mark(at place: Int64) -> RunningFingerprint? {
        guard place >= 0, place <= count, place % Self.step == 0 else { return nil }
        let number = Int(place / Self.step)
        if number < start.count { return start[number] }
        if number > Int(count / Self.step) - Self.mostAtEnd { return end[Self.slot(place)] }
        return place % spacing == 0 ? thinned[Int(place / spacing)] : nil
    }

    /// The next place after this one at which there is a mark, or was.
    fileprivate static func next(after place: Int64) -> Int64 { (place / step + 1) * step }

    /// Where the mark at a place, which is not 0, stands among those of the end.
    private static func slot(_ place: Int64) -> Int { Int((place / step - 1) % Int64(mostAtEnd)) }

    /// Where another response had best begin: some of the bytes come again, and prove that it is the same file.
    var resumePlace: Int64 { max(0, count - Self.leastOverlap) / Self.step * Self.step }

    /// Holds the bytes of a response that begins with byte `place` against these; nil where nothing is known of that
    /// place.
    func comparison(from place: Int64) -> Comparison? {
        mark(at: place).map { Comparison(known: self, fingerprint: $0, place: place) }
    }
}

extension ReceivedBytes {
    /// Another response, up to where the known bytes end.
    struct Comparison {
        enum Verdict: Hashable {
            /// So far there is no difference; true where that was proven of more bytes than before.
            case same(isProgress: Bool)
            case differs
            /// They are the same to their end, which came with this number of bytes of the last piece.
            case proven(Int)
        }

        fileprivate let known: ReceivedBytes
        fileprivate var fingerprint: RunningFingerprint
        fileprivate var place: Int64

        mutating func take(_ bytes: UnsafeRawBufferPointer) -> Verdict {
            var rest = bytes[...]
            var isProgress = false
            while place < known.count, !rest.isEmpty {
                let next = min(known.count, ReceivedBytes.next(after: place))
                let piece = rest.prefix(Int(clamping: next - place))
                fingerprint.add(UnsafeRawBufferPointer(rebasing: piece))
                place += Int64(piece.count)
                rest = rest[piece.endIndex...]
                guard place == next else { break }
                guard let expected = next == known.count ? known.fingerprint : known.mark(at: next) else { continue }
                guard fingerprint == expected else { return .differs }
                isProgress = true
            }
            return place == known.count ? .proven(bytes.count - rest.count) : .same(isProgress: isProgress)
        }
    }
}

/// A fingerprint of bytes that come in pieces; how they are split makes no difference. A value.
struct RunningFingerprint: Hashable {
    /// Four chains that a processor works on at the same time. They take the words in turn; `first` is the next.
    private var first: UInt64 = 0x6A09_E667_F3BC_C908
    private var second: UInt64 = 0xBB67_AE85_84CA_A73B
    private var third: UInt64 = 0x3C6E_F372_FE94_F82B
    private var fourth: UInt64 = 0xA54F_F53A_5F1D_36F1
    /// Bytes that are no whole word yet.
    private var word: UInt64 = 0
    private var wordBits: UInt64 = 0

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset < bytes.count {
            if wordBits == 0, offset + 32 <= bytes.count {
                offset += addWhole(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
                continue
            }
            word |= UInt64(bytes[offset]) << wordBits
            wordBits += 8
            offset += 1
            guard wordBits == 64 else { continue }
            (first, second, third, fourth) = (second, third, fourth, Self.fold(first, word))
            (word, wordBits) = (0, 0)
        }
    }

    /// Adds all whole groups of four words, and returns how many bytes they are.
    private mutating func addWhole(_ bytes: UnsafeRawBufferPointer) -> Int {
        var (one, two, three, four) = (first, second, third, fourth)
        var offset = 0
        while offset + 32 <= bytes.count {
            one = Self.fold(one, Self.word(bytes, offset))
            two = Self.fold(two, Self.word(bytes, offset + 8))
            three = Self.fold(three, Self.word(bytes, offset + 16))
            four = Self.fold(four, Self.word(bytes, offset + 24))
            offset += 32
        }
        (first, second, third, fourth) = (one, two, three, four)
        return offset
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
    }

    private static func fold(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return (product.high ^ product.low) &+ 0x1F83_D9AB_FB41_BD6B
    }
}
