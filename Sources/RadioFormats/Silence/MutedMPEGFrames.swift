// SPDX-License-Identifier: MIT

/// MPEG audio frames with their sound removed (ISO 11172-3, 13818-3).
///
/// Layers I and II: no bits are allocated to anything. Layer III: no granule has bits of its own, while the main data
/// stays what it was. So the bit reservoir, into which the frames after the silence reach back, holds the same bytes
/// after the muted frames as before them; for that, the frames together are as long as the reservoir is deep.
enum MutedMPEGFrames {
    static func unit(after tail: [[UInt8]]) -> SilentUnit? {
        guard let last = tail.last, let header = MPEGFrameHeader(last) else { return nil }
        guard header.layer == .three else { return unit(of: tail.suffix(1), header) }
        var depth = 0
        let needed = tail.reversed().prefix { frame in
            defer { depth += max(0, frame.count - header.mainDataOffset) }
            return depth < reservoir(header)
        }
        return depth < reservoir(header) ? nil : unit(of: tail.suffix(needed.count), header)
    }

    private static func unit(of frames: ArraySlice<[UInt8]>, _ header: MPEGFrameHeader) -> SilentUnit? {
        let muted = frames.compactMap { Self.muted($0, of: header.formatKey) }
        guard muted.count == frames.count else { return nil }
        return SilentUnit(
            bytes: Array(muted.joined()), frames: muted.count, samples: muted.count * header.samples)
    }

    /// The largest `main_data_begin`, in bytes.
    private static func reservoir(_ header: MPEGFrameHeader) -> Int {
        header.version == .mpeg1 ? 511 : 255
    }

    private static func muted(_ frame: [UInt8], of formatKey: UInt32) -> [UInt8]? {
        guard let header = MPEGFrameHeader(frame), header.formatKey == formatKey else { return nil }
        var muted = frame
        let start = MPEGFrameHeader.byteCount + (header.hasChecksum ? 2 : 0)
        switch header.layer {
        case .one, .two:
            guard frame.count > start else { return nil }
            for index in start..<frame.count { muted[index] = 0 }
        case .three:
            guard frame.count >= header.mainDataOffset else { return nil }
            // `main_data_begin` stays: it is the first 9 bits, or 8.
            let kept: UInt8 = header.version == .mpeg1 ? 0x80 : 0
            muted[start + 1] &= kept
            for index in (start + 2)..<header.mainDataOffset { muted[index] = 0 }
        }
        MPEGChecksum.write(into: &muted)
        return muted
    }
}
