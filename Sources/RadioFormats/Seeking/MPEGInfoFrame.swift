// SPDX-License-Identifier: MIT

/// The content of a Xing, Info or VBRI frame. Its values are untrusted hints: they never size an allocation, and
/// callers must check them against the file.
package struct MPEGInfoFrame: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The frame of a file with a variable bit rate.
        case xing
        /// The same as Xing, for a constant bit rate.
        case info
        /// Fraunhofer's variant.
        case vbri
    }

    package var kind: Kind
    /// The number of frames after this one; nil if not stated.
    package var frames: Int64?
    /// The number of bytes from the start of this frame on; nil if not stated.
    package var bytes: Int64?
    /// The Xing table of contents: for each percent of the playing time, the byte offset in 256ths of the file. Empty
    /// if the frame has none.
    package var places: [UInt8] = []
    /// VBRI: the bytes of each run of ``framesPerRun`` frames, in order.
    package var runs: [Int64] = []
    package var framesPerRun = 0
    /// The encoder's delay and padding, in samples; nil if not stated.
    package var delay: Int?
    package var padding: Int?
    /// Samples per frame.
    package var samples: Int
    package var sampleRate: Int
    /// The length of this frame in bytes.
    package var length: Int

    /// Parses a frame from its header on. Nil if it is not an info frame.
    package init?(_ bytes: some IndexedBytes) {
        let frame = Array(bytes.prefix(Self.longest))[...]
        guard let header = MPEGFrameHeader(frame), header.layer == .three else { return nil }
        (samples, sampleRate, length) = (header.samples, header.sampleRate, header.length ?? 0)
        kind = .xing
        if readVBRI(frame) { return }
        // Some encoders place the tag as if the frame had no checksum.
        for place in [header.mainDataOffset, header.mainDataOffset - 2] where readXing(frame.dropFirst(place)) {
            return
        }
        return nil
    }

    /// Whether the counts imply plausible frame sizes. `there` is the size of the file, used if the info frame states
    /// no size.
    func isPlausible(bytes there: Int64?) -> Bool {
        guard let frames, let bytes = bytes ?? there else { return true }
        return (8...3_000).contains(Double(bytes) / Double(frames))
    }

    private static let longest = 4096

    private mutating func readXing(_ frame: ArraySlice<UInt8>) -> Bool {
        let isInfo = frame.starts(with: "Info".utf8)
        guard isInfo || frame.starts(with: "Xing".utf8), frame.count >= 8 else { return false }
        kind = isInfo ? .info : .xing
        let flags = frame.bigEndian(at: 4, count: 4)
        var rest = frame.dropFirst(8)
        func take(_ flag: Int, _ count: Int) -> ArraySlice<UInt8>? {
            guard flags & flag != 0 else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.count >= count ? rest.prefix(count) : nil
        }
        frames = take(1, 4).map { Int64($0.bigEndian(at: 0, count: 4)) }.flatMap { $0 > 0 ? $0 : nil }
        bytes = take(2, 4).map { Int64($0.bigEndian(at: 0, count: 4)) }.flatMap { $0 > 0 ? $0 : nil }
        places = take(4, 100).map(Array.init) ?? []
        // A table that goes backward is invalid.
        if zip(places, places.dropFirst()).contains(where: { $0 > $1 }) { places = [] }
        _ = take(8, 4)
        readEncoder(rest)
        return true
    }

    /// Reads LAME's extension, which other encoders write as well.
    private mutating func readEncoder(_ bytes: ArraySlice<UInt8>) {
        let names = ["LAME", "L3.9", "Lavf", "Lavc"]
        guard bytes.count >= 24, names.contains(where: { bytes.starts(with: $0.utf8) }) else { return }
        let both = bytes.bigEndian(at: 21, count: 3)
        (delay, padding) = (both >> 12, both & 0xFFF)
    }

    private mutating func readVBRI(_ frame: ArraySlice<UInt8>) -> Bool {
        let content = frame.dropFirst(36)
        guard content.count >= 26, content.starts(with: "VBRI".utf8), content.bigEndian(at: 4, count: 2) == 1 else {
            return false
        }
        kind = .vbri
        let (bytes, frames) = (content.bigEndian(at: 10, count: 4), content.bigEndian(at: 14, count: 4))
        self.bytes = bytes > 0 ? Int64(bytes) : nil
        self.frames = frames > 0 ? Int64(frames) : nil
        let (count, scale) = (content.bigEndian(at: 18, count: 2), content.bigEndian(at: 20, count: 2))
        let (size, perRun) = (content.bigEndian(at: 22, count: 2), content.bigEndian(at: 24, count: 2))
        let table = content.dropFirst(26)
        guard (1...4).contains(size), perRun > 0, scale > 0, count > 0, table.count >= count * size else { return true }
        framesPerRun = perRun
        runs = (0..<count).map { Int64(table.bigEndian(at: $0 * size, count: size) * scale) }
        return true
    }
}
