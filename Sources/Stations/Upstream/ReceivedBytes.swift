// SPDX-License-Identifier: MIT

/// What is remembered of the bytes of a file, so that those of another response can be held against them: a pure value.
///
/// It is a fingerprint of all bytes from the first one on, as it stood at regular places. There are 4,096 of these at
/// the most: where more are needed every other one is forgotten. The bytes need not withstand somebody who wants others
/// to look like them: all that a server can spoil is its own file.
struct ReceivedBytes {
    /// How many there were.
    private(set) var count: Int64 = 0
    private var fingerprint = RunningFingerprint()
    /// The fingerprint at each multiple of ``spacing``, from 0 on.
    private var marks: [RunningFingerprint] = [RunningFingerprint()]
    private var spacing: Int64 = 4_096

    private static let mostMarks = 4_096
    /// So much at least comes again.
    private static let leastOverlap: Int64 = 1_024

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let next = spacing * Int64(marks.count)
            let piece = rest.prefix(Int(clamping: next - count))
            fingerprint.add(UnsafeRawBufferPointer(rebasing: piece))
            count += Int64(piece.count)
            rest = rest[piece.endIndex...]
            if count == next { mark() }
        }
    }

    private mutating func mark() {
        marks.append(fingerprint)
        guard marks.count > Self.mostMarks else { return }
        marks = stride(from: 0, to: marks.count, by: 2).map { marks[$0] }
        spacing *= 2
    }

    /// Where another response had best begin: some of the bytes come again, and prove that it is the same file.
    var resumePlace: Int64 { max(0, count - Self.leastOverlap) / spacing * spacing }

    /// Holds the bytes of a response that begins with byte `place` against these; nil where nothing is known of that
    /// place.
    func comparison(from place: Int64) -> Comparison? {
        guard place >= 0, place <= count, place % spacing == 0 else { return nil }
        return Comparison(known: self, fingerprint: marks[Int(place / spacing)], place: place)
    }
}

extension ReceivedBytes {
    /// Another response, up to where the known bytes end.
    struct Comparison {
        enum Verdict: Hashable {
            /// So far there is no difference; true where that was proven of more bytes than before.
            case same(isProgress: Bool)
            case differs
            /// They are the same to their end, which came with so many bytes of the last piece.
            case proven(Int)
        }

        fileprivate let known: ReceivedBytes
        fileprivate var fingerprint: RunningFingerprint
        fileprivate var place: Int64

        mutating func take(_ bytes: UnsafeRawBufferPointer) -> Verdict {
            var rest = bytes[...]
            var isProgress = false
            while place < known.count, !rest.isEmpty {
                let next = min(known.count, (place / known.spacing + 1) * known.spacing)
                let piece = rest.prefix(Int(clamping: next - place))
                fingerprint.add(UnsafeRawBufferPointer(rebasing: piece))
                place += Int64(piece.count)
                rest = rest[piece.endIndex...]
                guard place == next else { break }
                let expected = next == known.count ? known.fingerprint : known.marks[Int(next / known.spacing)]
                guard fingerprint == expected else { return .differs }
                isProgress = true
            }
            return place == known.count ? .proven(bytes.count - rest.count) : .same(isProgress: isProgress)
        }
    }
}

/// A fingerprint of bytes that come in pieces; how they are split makes no difference. A value.
struct RunningFingerprint: Hashable {
    private var state: UInt64 = 0x6A09_E667_F3BC_C908
    /// Bytes that are no whole word yet.
    private var word: UInt64 = 0
    private var wordBits: UInt64 = 0

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset < bytes.count {
            if wordBits == 0, offset + 8 <= bytes.count {
                fold(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
                offset += 8
                continue
            }
            word |= UInt64(bytes[offset]) << wordBits
            wordBits += 8
            offset += 1
            if wordBits == 64 {
                fold(word)
                (word, wordBits) = (0, 0)
            }
        }
    }

    private mutating func fold(_ word: UInt64) {
        let product = (state ^ word).multipliedFullWidth(by: 0xBB67_AE85_84CA_A73B)
        state = (product.high ^ product.low) &+ 0x3C6E_F372_FE94_F82B
    }
}
