// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore

/// Where frames of an audio file begin, and when they were on air: about one frame a second. Kept in
/// ``Companion/index``, so that reading can begin in the middle of a file.
///
/// The file has a head of 16 bytes (``head``) and entries of 32 bytes: the number of the frame in its file, the byte at
/// which it begins, its air time in nanoseconds since 1970, and a check; all little-endian. The check covers the entry
/// and the frame itself. So an entry that is torn or damaged, or that belongs to other audio, does not pass for one.
struct FrameIndex {
    struct Entry: Hashable {
        var frame: Int64
        var byte: Int64
        /// Nil if unknown.
        var at: WallInstant?
        /// The checksum of the frame's first bytes.
        var audio: UInt64

        /// `bytes`: the file from the frame on; at least ``FrameIndex/sampleLength`` bytes.
        init(frame: Int64, byte: Int64, at: WallInstant?, _ bytes: UnsafeRawBufferPointer) {
            (self.frame, self.byte, self.at) = (frame, byte, at)
            var sum = AudioChecksum()
            sum.take(UnsafeRawBufferPointer(rebasing: bytes[..<FrameIndex.sampleLength]))
            audio = sum.value
        }

        var encoded: [UInt8] {
            var fields = (
                frame.littleEndian, byte.littleEndian, (at?.nanoseconds ?? .min).littleEndian, audio.littleEndian
            )
            return withUnsafeMutableBytes(of: &fields) { bytes in
                var sum = AudioChecksum()
                sum.take(UnsafeRawBufferPointer(bytes))
                // The check covers all four fields, and is written over the last one.
                bytes.storeBytes(of: sum.value.littleEndian, toByteOffset: 24, as: UInt64.self)
                return Array(bytes)
            }
        }
    }

    /// Entries that are not in the file yet, or all of them.
    private var entries: [Entry] = []
    private let sampleRate: Int
    /// The number of samples before the next frame with an entry.
    private var due: Int64 = 0
    /// The number of entries so far.
    private var count = 0

    static let mark = Companion.index.mark
    /// The mark, the version, and the length of an entry.
    static let head = mark + [1, 0, 0, 0, 32, 0, 0, 0]
    private static let entryLength: Int64 = 32
    /// How many bytes the check covers, from the frame on.
    static let sampleLength = 32
    /// The most entries of a file: ten days.
    private static let most = 864_000
    /// How many entries are written at once while a file grows: those of a minute, because each time the file of the
    /// index is opened anew. Frames behind its last entry are found by reading.
    private static let mostAtOnce = 60

    init(sampleRate: Int) { self.sampleRate = sampleRate }

    /// Adds an entry for a frame, or for the first of several, behind `samples` samples of its file. `bytes`: the file
    /// from there on.
    mutating func note(
        frame: Int64, byte: Int64, samples: Int64, at: WallInstant? = nil, _ bytes: UnsafeRawBufferPointer
    ) {
        guard samples >= due, bytes.count >= Self.sampleLength, count < Self.most else { return }
        entries.append(Entry(frame: frame, byte: byte, at: at, bytes))
        (due, count) = (samples + Int64(sampleRate), count + 1)
    }

    /// Whether there are so many entries that they are to be written although the file grows.
    var isDue: Bool { entries.count >= Self.mostAtOnce }

    /// The bytes to be appended to the file. `airTime` returns the air time of a frame that was noted without one.
    mutating func takeBytes(airTime: (Int64) -> WallInstant? = { _ in nil }) -> [UInt8] {
        guard !entries.isEmpty else { return [] }
        var bytes = count == entries.count ? Self.head : []
        for var entry in entries {
            entry.at = entry.at ?? airTime(entry.frame)
            bytes += entry.encoded
        }
        entries.removeAll(keepingCapacity: true)
        return bytes
    }

    // MARK: Reading

    /// A frame of a file, and the byte at which it begins.
    struct Place: Hashable {
        var frame: Int64
        var byte: Int64

        static let start = Place(frame: 0, byte: 0)
    }

    /// The last frame, up to `frame`, that the index beside an audio file knows; the start of the file if the index is
    /// missing, or does not fit the audio. Both files may be growing. `base`: their name.
    static func place(
        upTo frame: Int64, of audio: CInt, _ base: String, in folder: CInt, _ system: any FileSystemCalls
    ) -> Place {
        guard frame > 0, let index = try? system.openToRead(in: folder, name: Companion.index.name(of: base)) else {
            return .start
        }
        defer { system.close(index) }
        let entry = try? Reader(index: index, system: system)?.entry(upTo: frame, of: audio)
        return entry.flatMap(\.self).map { Place(frame: $0.frame, byte: $0.byte) } ?? .start
    }

    private struct Reader {
        let index: CInt
        let system: any FileSystemCalls
        private let count: Int64

        /// Nil if the file is not an index that this version reads.
        init?(index: CInt, system: any FileSystemCalls) throws(SystemError) {
            let size = try system.status(of: index).size
            let length = Int64(FrameIndex.head.count)
            guard size >= length, try system.readAll(index, from: 0, to: length) == FrameIndex.head else { return nil }
            (self.index, self.system) = (index, system)
            count = (size - length) / FrameIndex.entryLength
        }

        func entry(upTo frame: Int64, of audio: CInt) throws(SystemError) -> Entry? {
            var (low, high) = (Int64(0), count)
            while low < high {
                let middle = (low + high) / 2
                if try bytes(middle).int64(at: 0) <= frame { low = middle + 1 } else { high = middle }
            }
            guard low > 0 else { return nil }
            let bytes = try bytes(low - 1)
            let (byte, at) = (bytes.int64(at: 8), bytes.int64(at: 16))
            guard byte >= 0, byte <= .max - Int64(FrameIndex.sampleLength) else { return nil }
            let sample = try system.readAll(audio, from: byte, to: byte + Int64(FrameIndex.sampleLength))
            let entry = sample.withUnsafeBytes { sample in
                Entry(
                    frame: bytes.int64(at: 0), byte: byte, at: at == .min ? nil : WallInstant(nanoseconds: at), sample)
            }
            return entry.frame <= frame && entry.encoded == bytes ? entry : nil
        }

        private func bytes(_ number: Int64) throws(SystemError) -> [UInt8] {
            let start = Int64(FrameIndex.head.count) + number * FrameIndex.entryLength
            return try system.readAll(index, from: start, to: start + FrameIndex.entryLength)
        }
    }
}

extension [UInt8] {
    fileprivate func int64(at offset: Int) -> Int64 {
        withUnsafeBytes { Int64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Int64.self)) }
    }
}
