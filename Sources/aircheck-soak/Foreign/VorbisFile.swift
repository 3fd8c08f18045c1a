// SPDX-License-Identifier: MIT

/// What a file of Vorbis says of itself, read apart from Aircheck's parser.
struct VorbisFile {
    /// Samples of its two kinds of blocks.
    let short: Int
    let long: Int
    /// Whether all that is played is as long as the granule positions of its last pages say.
    let playsToTheSample: Bool

    /// Nil where the file begins with no stream of Vorbis.
    init?(_ bytes: [UInt8], played units: [AudioUnit]) {
        guard bytes.count > 58, bytes[29...].starts(with: Array("vorbis".utf8))
        else { return nil }
        // The identification header is the first packet and 30 bytes long; the sizes stand in its last but one.
        (short, long) = (1 << (bytes[56] & 15), 1 << (bytes[56] >> 4))
        playsToTheSample = units.reduce(0) { $0 + ($1.samples ?? 0) } == Self.length(bytes)
    }

    /// The sum of the granule positions with which the streams of a file end.
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
