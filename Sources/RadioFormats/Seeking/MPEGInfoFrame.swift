// SPDX-License-Identifier: MIT

/// What a Xing, Info or VBRI frame says of its file. Hints, every one of them: nothing is allocated by them, and who
/// counts with them holds them against what is there.
package struct MPEGInfoFrame: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Variable bit rate.
        case xing
        /// The same at a constant bit rate.
        case info
        /// Fraunhofer's.
        case vbri
    }

    package var kind: Kind
    /// Frames that follow this one; nil where it does not say.
    package var frames: Int64?
    /// Bytes from the first one of this frame on.
    package var bytes: Int64?
    /// The Xing table of contents: for each percent of the playing time, the byte offset in 256ths of the file. Empty if
    /// the frame has none.
    package var places: [UInt8] = []
    /// VBRI: bytes of each run of ``framesPerRun`` frames, in order.
    package var runs: [Int64] = []
    package var framesPerRun = 0
    /// What the encoder put in front and behind, in samples; nil where no encoder says so.
    package var delay: Int?
    package var padding: Int?
    /// Of each frame.
    package var samples: Int
    package var sampleRate: Int
    /// Bytes of this frame.
    package var length: Int

    /// Reads a frame, header first; nil where it is audio, or anything else.
    package init?(_ bytes: some IndexedBytes) {
        let frame = Array(bytes.prefix(Self.longest))[...]
        guard let header = MPEGFrameHeader(frame), header.layer == .three else { return nil }
        (samples, sampleRate, length) = (header.samples, header.sampleRate, header.length ?? 0)
        kind = .xing
        if readVBRI(frame) { return }
        // Some encoders do not count the checksum.
        for place in [header.mainDataOffset, header.mainDataOffset - 2] where readXing(frame.dropFirst(place)) {
            return
        }
        return nil
    }

    /// Whether frames can be as long as the counts say; `bytes` are those of the file, where the frame names none.
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
        // A table that goes back is none.
        if zip(places, places.dropFirst()).contains(where: { $0 > $1 }) { places = [] }
        _ = take(8, 4)
        readEncoder(rest)
        return true
    }

    /// The extension of LAME's, which others write as well.
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
