// SPDX-License-Identifier: MIT

/// MPEG audio frames with their sound removed (ISO 11172-3, 13818-3).
///
/// Layers I and II: no bits are allocated. Layer III: the granules use no bits, but the main data is unchanged. So the
/// bit reservoir, into which the frames after the silence reach back, holds the same bytes after the muted frames as
/// before them. This requires muted frames that together fill the whole reservoir.
enum MutedMPEGFrames {
    static func unit(after tail: [[UInt8]]) -> SilentUnit? {
        guard let last = tail.last, let header = MPEGFrameHeader(last) else { return nil }
        guard header.layer == .three else { return unit(of: tail.suffix(1), header) }
        return frames(of: tail, holding: reservoir(header), header).flatMap { unit(of: $0, header) }
    }

    /// The unit whose main data contains the last `depth` bytes before the next frame; nil if `depth` is 0. The unit
    /// begins a file, so none of its frames reaches back beyond the unit's own beginning.
    static func unit(holding depth: Int, of tail: [[UInt8]]) -> SilentUnit? {
        guard depth > 0, let last = tail.last, let header = MPEGFrameHeader(last), header.layer == .three,
            var frames = frames(of: tail, holding: depth, header)
        else { return nil }
        var reach = 0
        for index in frames.indices {
            limitReach(of: &frames[index], to: reach, header)
            reach += max(0, frames[index].count - header.mainDataOffset)
        }
        return unit(of: frames, header)
    }

    /// The fewest last frames of layer III that have room for `wanted` bytes of main data; nil if all frames together
    /// have too little room.
    private static func frames(
        of tail: [[UInt8]], holding wanted: Int, _ header: MPEGFrameHeader
    ) -> ArraySlice<[UInt8]>? {
        var depth = 0
        let needed = tail.reversed().prefix { frame in
            defer { depth += max(0, frame.count - header.mainDataOffset) }
            return depth < wanted
        }
        return depth < wanted ? nil : tail.suffix(needed.count)
    }

    /// Makes `main_data_begin` no larger than `most`.
    private static func limitReach(of frame: inout [UInt8], to most: Int, _ header: MPEGFrameHeader) {
        let start = sideInformation(header)
        guard frame.count >= header.mainDataOffset else { return }
        guard header.version == .mpeg1 else { return frame[start] = UInt8(min(Int(frame[start]), most)) }
        let reach = min(Int(frame[start]) << 1 | Int(frame[start + 1] >> 7), most)
        frame[start] = UInt8(reach >> 1)
        frame[start + 1] = frame[start + 1] & 0x7F | UInt8(reach & 1) << 7
    }

    /// Where the side information begins.
    private static func sideInformation(_ header: MPEGFrameHeader) -> Int {
        MPEGFrameHeader.byteCount + (header.hasChecksum ? 2 : 0)
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
        let start = sideInformation(header)
        switch header.layer {
        case .one, .two:
            guard frame.count > start else { return nil }
            for index in start..<frame.count { muted[index] = 0 }
        case .three:
            guard frame.count >= header.mainDataOffset else { return nil }
            // `main_data_begin` stays: it is the first 9 bits, or 8 in MPEG 2 and 2.5.
            let kept: UInt8 = header.version == .mpeg1 ? 0x80 : 0
            muted[start + 1] &= kept
            for index in (start + 2)..<header.mainDataOffset { muted[index] = 0 }
        }
        MPEGChecksum.write(into: &muted)
        return muted
    }
}
