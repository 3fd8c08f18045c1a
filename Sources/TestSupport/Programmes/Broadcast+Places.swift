// SPDX-License-Identifier: MIT

extension Broadcast {
    /// The place of each frame, by the frame's first bytes.
    package var starts: [ArraySlice<UInt8>: Int] {
        Dictionary(frames.enumerated().map { ($1.bytes.prefix(64), $0) }) { first, _ in first }
    }

    /// The same programme without some frames, which nobody gets: the source is away while they air. The other frames
    /// keep their air times. Only for programmes in which each unit is a frame.
    package func leavingOut(_ places: Range<Int>) -> Broadcast {
        let left = byteRange(of: places)
        let bytes = self.bytes[..<left.lowerBound] + self.bytes[left.upperBound...]
        let later = frames[places.upperBound...].map { frame in
            Frame(bytes: frame.bytes, start: frame.start, length: frame.length, offset: frame.offset - left.count)
        }
        let laterUnits = units[places.upperBound...].map { Unit(end: $0.end - left.count, airs: $0.airs) }
        return Broadcast(
            bytes: Array(bytes), container: container, contentType: contentType,
            frames: Array(frames[..<places.lowerBound]) + later,
            units: Array(units[..<places.lowerBound]) + laterUnits, links: links)
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
