// SPDX-License-Identifier: MIT

import RadioCore

/// A record of a file's bytes, with which the bytes of another response can be compared. A pure value.
///
/// It keeps a running fingerprint of all bytes from the first one, and records it at regular places: every 4 KiB in the
/// first MiB and in the last 64 KiB, whatever the size. So a different response that begins at the start or near the
/// end is detected within 4 KiB. In between at most 4,096 fingerprints are recorded; if more are needed, every other
/// fingerprint is dropped. The fingerprint need not resist forgery: a server can only spoil its own file.
struct ReceivedBytes {
    /// The number of bytes received.
    private(set) var count: Int64 = 0
    fileprivate private(set) var chain = BlockChain(after: .start)
    /// The fingerprints at the first multiples of ``step``, from 0 on. They cover the whole first MiB. Fewer would
    /// suffice to tell files apart, but a station may send the same advert at the start of each connection.
    private var start: [Fingerprint] = [.start]
    /// The fingerprints at the last multiples of ``step``. Each is stored at its number modulo ``mostAtEnd``.
    private var end: [Fingerprint] = []
    /// The fingerprints at each multiple of ``spacing``, from 0 on.
    private var thinned: [Fingerprint] = [.start]
    private var spacing = step

    /// The number of bytes between two recorded fingerprints before any are dropped.
    private static let step = Int64(BlockChain.blockSize)
    private static let mostAtStart = 256
    private static let mostAtEnd = 16
    private static let mostThinned = 4_096
    /// At least this many bytes are requested again, to prove that the file is the same.
    private static let leastOverlap: Int64 = 1_024

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let added = chain.add(rest)
            rest = rest.dropFirst(added)
            count += Int64(added)
            if count % Self.step == 0 { record(chain.fingerprint) }
        }
    }

    private mutating func record(_ fingerprint: Fingerprint) {
        if start.count < Self.mostAtStart { start.append(fingerprint) }
        let slot = Self.slot(count)
        if slot < end.count { end[slot] = fingerprint } else { end.append(fingerprint) }
        guard count % spacing == 0 else { return }
        thinned.append(fingerprint)
        guard thinned.count > Self.mostThinned else { return }
        thinned = stride(from: 0, to: thinned.count, by: 2).map { thinned[$0] }
        spacing *= 2
    }

    /// The fingerprint of all bytes before a place; nil if none was recorded there.
    fileprivate func fingerprint(at place: Int64) -> Fingerprint? {
        guard place >= 0, place <= count, place % Self.step == 0 else { return nil }
        let number = Int(place / Self.step)
        if number < start.count { return start[number] }
        if number > Int(count / Self.step) - Self.mostAtEnd { return end[Self.slot(place)] }
        return place % spacing == 0 ? thinned[Int(place / spacing)] : nil
    }

    /// The index in `end` of the fingerprint at a place other than 0.
    private static func slot(_ place: Int64) -> Int { Int((place / step - 1) % Int64(mostAtEnd)) }

    /// The byte from which another response should begin, so that it repeats enough to prove that the file is the same.
    var resumePlace: Int64 { max(0, count - Self.leastOverlap) / Self.step * Self.step }

    /// Starts comparing a response that begins with byte `place`; nil if no fingerprint was recorded there.
    func comparison(from place: Int64) -> Comparison? {
        fingerprint(at: place).map { Comparison(known: self, chain: BlockChain(after: $0), place: place) }
    }
}

extension ReceivedBytes {
    /// The comparison of another response, up to the end of the known bytes.
    struct Comparison {
        enum Verdict: Hashable {
            /// No difference so far. `isProgress`: whether this was proven for more bytes than before.
            case same(isProgress: Bool)
            case differs
            /// The response has repeated all known bytes. They ended after this many bytes of the piece just taken; any
            /// further bytes of it are new.
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

        /// Whether the response has equalled the known bytes up to here; nil if no fingerprint was recorded here.
        private var isSameSoFar: Bool? {
            place == known.count ? chain == known.chain : known.fingerprint(at: place).map { $0 == chain.fingerprint }
        }
    }
}

/// A fingerprint of bytes that is independent of how they are split into pieces.
private struct BlockChain: Hashable {
    /// The fingerprint of all whole blocks.
    private(set) var fingerprint: Fingerprint
    /// The beginning of the next block.
    private var begun: [UInt8] = []

    /// The size of a block in bytes.
    static let blockSize = 4_096

    init(after fingerprint: Fingerprint) {
        self.fingerprint = fingerprint
    }

    /// Adds bytes up to the end of the block. Returns how many were added.
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
