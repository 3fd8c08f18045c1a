// SPDX-License-Identifier: MIT

/// The properties of a Vorbis file, read independently of Aircheck's parser.
struct VorbisFile {
    /// The sizes of its two kinds of blocks in samples.
    let short: Int
    let long: Int
    /// Whether the total duration played equals the sum of the final granule positions of the file's streams.
    let playsToTheSample: Bool

    /// Returns nil if the file does not begin with a Vorbis stream.
    init?(_ bytes: [UInt8], played units: [AudioUnit]) {
        guard bytes.count > 58, bytes[29...].starts(with: Array("vorbis".utf8))
        else { return nil }
        // The identification header is the first packet and 30 bytes long; its second to last byte contains the sizes.
        (short, long) = (1 << (bytes[56] & 15), 1 << (bytes[56] >> 4))
        playsToTheSample = units.reduce(0) { $0 + ($1.samples ?? 0) } == Self.length(bytes)
    }

    /// The sum of the final granule positions of the file's streams.
    private static func length(_ file: [UInt8]) -> Int? {
        var (sum, position) = (0, 0)
        while position < file.count {
            guard file.count - position >= 27, file[position...].starts(with: Array("OggS".utf8)) else { return nil }
            let segments = Int(file[position + 26])
            guard position + 27 + segments <= file.count else { return nil }
            let isLast = file[position + 5] & 4 != 0
            if isLast { sum += file[(position + 6)..<(position + 14)].reversed().reduce(0) { $0 << 8 | Int($1) } }
            position += 27 + segments
            position += file[(position - segments)..<position].reduce(0) { $0 + Int($1) }
        }
        return sum
    }
}
