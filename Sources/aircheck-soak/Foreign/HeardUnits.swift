// SPDX-License-Identifier: MIT

import TestSupport

/// What came of a file on some way, to be found in it again.
enum HeardUnits {
    /// Frames or packets, one by one.
    case units([AudioUnit])
    /// The bytes of frames, one behind the other, and nothing else.
    case bytes([UInt8])

    /// What a recording holds: of Ogg the packets that ffprobe lists, else all bytes, as a pure recording is frames alone.
    init(recording paths: [String], isOgg: Bool) throws {
        if isOgg {
            self = .units(try paths.flatMap { try ListedFile(Listing($0)).units })
        } else {
            self = .bytes(try paths.flatMap { try TestSupport.bytes(ofFile: $0) })
        }
    }

    /// Which units of the file it is, where it begins with one of `starts`; nil where it is no such stretch.
    func stretch(of comparison: FileComparison, from starts: Range<Int>) -> Range<Int>? {
        starts.lazy.compactMap { stretch(of: comparison, from: $0) }.first
    }

    /// The same for a stretch from one place on.
    func stretch(of comparison: FileComparison, from start: Int) -> Range<Int>? {
        let units = comparison.played.units[start...]
        switch self {
        case .units(let heard):
            let isStretch = heard.count <= units.count && zip(heard, units).allSatisfy { $0.isEqual(to: $1) }
            return isStretch ? start..<start + heard.count : nil
        case .bytes(let bytes):
            var (end, rest) = (start, bytes[...])
            while !rest.isEmpty {
                guard end < units.endIndex, rest.starts(with: comparison.file.bytes[units[end].range]) else {
                    return nil
                }
                rest = rest.dropFirst(units[end].size)
                end += 1
            }
            return start..<end
        }
    }
}
