// SPDX-License-Identifier: MIT

import TestTools

/// Audio received from a file in some way, to be located in the file.
enum HeardUnits {
    /// Individual frames or packets.
    case units([AudioUnit])
    /// The concatenated bytes of frames, and nothing else.
    case bytes([UInt8])

    /// Reads the contents of a recording. For Ogg these are the packets that ffprobe lists. For other formats they are
    /// all bytes, because a pure recording has only frames.
    init(recording paths: [String], isOgg: Bool) throws {
        if isOgg {
            self = .units(try paths.flatMap { try ListedFile(Listing($0)).units })
        } else {
            self = .bytes(try paths.flatMap { try TestTools.bytes(ofFile: $0) })
        }
    }

    /// The range of the file's units of which this audio consists, beginning with one of `starts`; nil if the audio is
    /// not contiguous from any of them.
    func stretch(of comparison: FileComparison, from starts: Range<Int>) -> Range<Int>? {
        starts.lazy.compactMap { stretch(of: comparison, from: $0) }.first
    }

    /// The same for a single start.
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
