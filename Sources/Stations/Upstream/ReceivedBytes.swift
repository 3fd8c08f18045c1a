// SPDX-License-Identifier: MIT

import RadioCore

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
    fileprivate private(set) var chain = BlockChain(after: .start)
    /// The fingerprint at the first multiples of ``step``, from 0 on. The whole MiB, not only what tells one file from
    /// another: a station may send the same advert at the beginning of each connection.
    private var start: [Fingerprint] = [.start]
    /// The same at the last multiples; the place of each is its number modulo ``mostAtEnd``.
    private var end: [Fingerprint] = []
    /// The same at each multiple of ``spacing``, from 0 on.
    private var thinned: [Fingerprint] = [.start]
    private var spacing = step

    /// Bytes between two marks where none is forgotten.
    private static let step = Int64(BlockChain.blockSize)
    private static let mostAtStart = 256
    private static let mostAtEnd = 16
    private static let mostThinned = 4_096
    /// At least this many bytes come again.
    private static let leastOverlap: Int64 = 1_024

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let added = chain.add(rest)
            rest = rest.dropFirst(added)
            count += Int64(added)
            if count % Self.step == 0 { mark(chain.fingerprint) }
        }
    }

    private mutating func mark(_ fingerprint: Fingerprint) {
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
    fileprivate func mark(at place: Int64) -> Fingerprint? {
        guard place >= 0, place <= count, place % Self.step == 0 else { return nil }
        let number = Int(place / Self.step)
        if number < start.count { return start[number] }
        if number > Int(count / Self.step) - Self.mostAtEnd { return end[Self.slot(place)] }
        return place % spacing == 0 ? thinned[Int(place / spacing)] : nil
    }

    /// Where the mark at a place, which is not 0, stands among those of the end.
    private static func slot(_ place: Int64) -> Int { Int((place / step - 1) % Int64(mostAtEnd)) }

    /// Where another response had best begin: some of the bytes come again, and prove that it is the same file.
    var resumePlace: Int64 { max(0, count - Self.leastOverlap) / Self.step * Self.step }

    /// Holds the bytes of a response that begins with byte `place` against these; nil where nothing is known of that
    /// place.
    func comparison(from place: Int64) -> Comparison? {
        mark(at: place).map { Comparison(known: self, chain: BlockChain(after: $0), place: place) }
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
        fileprivate var chain: BlockChain
        fileprivate var place: Int64

        mutating func take(_ bytes: UnsafeRawBufferPointer) -> Verdict {
            var rest = bytes[...]
            var isProgress = false
            while place < known.count, !rest.isEmpty {
                let added = chain.add(rest.prefix(Int(clamping: known.count - place)))
                rest = rest.dropFirst(added)
                place += Int64(added)
                guard let isSame = isSameSoFar else { continue }
                guard isSame else { return .differs }
                isProgress = true
            }
            return place == known.count ? .proven(bytes.count - rest.count) : .same(isProgress: isProgress)
        }

        /// Whether all bytes up to here are the same; nil where there is no mark.
        private var isSameSoFar: Bool? {
            place == known.count ? chain == known.chain : known.mark(at: place).map { $0 == chain.fingerprint }
        }
    }
}

/// A fingerprint of bytes that come in pieces; how they are split makes no difference. A value.
private struct BlockChain: Hashable {
    /// Of all whole blocks.
    private(set) var fingerprint: Fingerprint
    /// The beginning of the next block.
    private var begun: [UInt8] = []

    /// Bytes of a block.
    static let blockSize = 4_096

    init(after fingerprint: Fingerprint) {
        self.fingerprint = fingerprint
    }

    /// Adds bytes up to the end of the block, and returns how many they are.
    mutating func add(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.blockSize - begun.count))
        if part.count == Self.blockSize {
            fingerprint = Fingerprint(part, after: fingerprint)
        } else {
            begun += part
            if begun.count == Self.blockSize {
                fingerprint = begun.withUnsafeBytes { Fingerprint($0, after: fingerprint) }
                begun.removeAll(keepingCapacity: true)
            }
        }
        return part.count
    }
}
