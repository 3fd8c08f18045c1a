// SPDX-License-Identifier: MIT

extension Broadcast {
    /// The place of each frame, by the frame's first bytes.
    package var starts: [ArraySlice<UInt8>: Int] {
        Dictionary(frames.enumerated().map { ($1.bytes.prefix(64), $0) }) { first, _ in first }
    }

    /// The places of the frames in these bytes; nil unless they are an unbroken stretch of the programme. A last frame
    /// that is cut off does not count.
    package func stretch(of audio: [UInt8], startingAt starts: [ArraySlice<UInt8>: Int]) -> Range<Int>? {
        guard audio.count > 8, let first = starts[audio.prefix(64)] else { return nil }
        let offset = frames[first].bytes.startIndex
        guard offset + audio.count <= bytes.count, bytes[offset..<offset + audio.count].elementsEqual(audio) else {
            return nil
        }
        let end = frames[first...].firstIndex { $0.bytes.endIndex > offset + audio.count } ?? frames.count
        return first..<end
    }
}
