// SPDX-License-Identifier: MIT

/// A live programme: all bytes that it will ever send, and the times at which they air. Copying it is cheap.
///
///     let programme = Broadcast([.music(.seconds(90))])
///     let withSilence = Broadcast(
///         [.music(.seconds(30)), .silence(.seconds(10)), .music(.seconds(30))], MPEGShape(192, sampleRate: 48_000))
///     let opus = try Broadcast(ReferenceProgramme(.init(.opus(96), seconds: 60)))
///
/// Times are relative to the start of the broadcast. An encoder outputs whole frames, and whole pages of Ogg, once it
/// has received all of their audio. So all bytes of a *unit* (frame or page) air at the end of its media time.
/// ``LiveStream`` describes what a server sends to a listener.
package struct Broadcast: Sendable {
    /// One frame (Ogg: one audio packet).
    package struct Frame: Sendable {
        package let bytes: ArraySlice<UInt8>
        /// The media time at which the frame starts.
        package let start: Duration
        package let length: Duration
        /// The offset in ``Broadcast/bytes`` at which the frame starts (Ogg: the start of the page in which it starts).
        let offset: Int
    }

    /// A unit of the stream, in bytes and in time.
    struct Unit: Sendable {
        /// The offset in ``Broadcast/bytes`` at which the unit ends. It starts where the previous unit ends.
        var end: Int
        /// The time at which the whole unit has aired.
        var airs: Duration
    }

    /// The programme as the encoder outputs it.
    package let bytes: [UInt8]
    package let container: FrameChecker.Container
    package let contentType: String
    /// All frames, indexed by their *place* in the programme.
    package let frames: [Frame]
    let units: [Unit]
    /// Only for Ogg: the header pages of each link, and the offset at which the link starts.
    let links: [(from: Int, headers: Range<Int>)]
    /// The station's ICY metadata in order: the place of the first frame to which it applies, and the whole metadata
    /// block including its length byte. See ``title(_:from:)``.
    package var announcements: [(place: Int, block: [UInt8])] = []

    init(
        bytes: [UInt8], container: FrameChecker.Container, contentType: String, frames: [Frame], units: [Unit],
        links: [(from: Int, headers: Range<Int>)] = []
    ) {
        (self.bytes, self.container, self.contentType) = (bytes, container, contentType)
        (self.frames, self.units, self.links) = (frames, units, links)
    }

    /// The duration of the whole programme.
    package var length: Duration { units.last?.airs ?? .zero }

    /// The same programme with a title from a given frame on. Titles must be added in the order of their places.
    package func title(_ text: String, from place: Int) -> Broadcast {
        announcing(ICYBody.block("StreamTitle='\(text)';"), from: place)
    }

    /// The same programme with an arbitrary metadata block: a length byte, followed by as many bytes as it states, or
    /// by a different number.
    package func announcing(_ block: [UInt8], from place: Int) -> Broadcast {
        var copy = self
        copy.announcements.append((place, block))
        return copy
    }

    /// The same programme with changed bytes, as if damaged between encoder and server: XOR masks by offset in
    /// ``bytes``. Only for MPEG audio and ADTS, whose frames are contiguous.
    package func damaged(_ masks: [Int: UInt8]) -> Broadcast {
        var bytes = bytes
        for (offset, mask) in masks { bytes[offset] ^= mask }
        let frames = frames.map { frame in
            Frame(
                bytes: bytes[frame.offset..<frame.offset + frame.bytes.count], start: frame.start,
                length: frame.length, offset: frame.offset)
        }
        var copy = Broadcast(
            bytes: bytes, container: container, contentType: contentType, frames: frames, units: units, links: links)
        copy.announcements = announcements
        return copy
    }

    // MARK: What has aired

    /// The live edge: the number of bytes that have aired at a time.
    package func edge(at time: Duration) -> Int {
        let count = units.prefixCount { $0.airs <= time }
        return count == 0 ? 0 : units[count - 1].end
    }

    /// The time at which `bytes` bytes have aired; nil if the programme has fewer.
    package func time(ofEdge bytes: Int) -> Duration? {
        guard bytes > 0 else { return .zero }
        let unit = units.prefixCount { $0.end < bytes }
        return unit < units.count ? units[unit].airs : nil
    }

    /// The number of frames that have aired completely at a time. This is also the place of the first frame that has
    /// not.
    package func framesAired(at time: Duration) -> Int {
        frames.prefixCount { $0.start + $0.length <= time }
    }

    /// The places of the frames that lie completely in a byte range.
    package func frames(in range: Range<Int>) -> Range<Int> {
        let first = frames.prefixCount { $0.offset < range.lowerBound }
        let units = self.units.prefixCount { $0.end <= range.upperBound }
        return first..<max(first, units == 0 ? 0 : framesAired(at: self.units[units - 1].airs))
    }

    /// The place of the frame that contains a byte (Ogg: of the first frame that starts in its page or later).
    package func place(ofByte offset: Int) -> Int {
        guard container != .ogg else { return frames.prefixCount { $0.offset < unitStart(containing: offset) } }
        return max(0, frames.prefixCount { $0.offset <= offset } - 1)
    }

    /// The byte range of some frames (MPEG audio and ADTS).
    package func byteRange(of places: Range<Int>) -> Range<Int> {
        let end = places.upperBound < frames.count ? frames[places.upperBound].offset : bytes.count
        return (places.isEmpty ? end : frames[places.lowerBound].offset)..<end
    }

    // MARK: For a server

    /// The start of the first unit that starts at or after an offset.
    func unitStart(atOrAfter offset: Int) -> Int {
        let unit = units.prefixCount { $0.end < offset }
        return offset == 0 ? 0 : unit < units.count ? units[unit].end : bytes.count
    }

    /// The offset after `part` (between 0 and 1) of the first unit that starts at or after an offset. At least one byte
    /// lies before it, and one after it. Nil if there is no such unit.
    func offset(ofPart part: Double, ofUnitAtOrAfter offset: Int) -> Int? {
        let start = unitStart(atOrAfter: offset)
        let unit = units.prefixCount { $0.end <= start }
        guard unit < units.count else { return nil }
        let length = units[unit].end - start
        return start + max(1, min(length - 1, Int(Double(length) * part)))
    }

    private func unitStart(containing offset: Int) -> Int {
        let unit = units.prefixCount { $0.end <= offset }
        return unit == 0 ? 0 : units[unit - 1].end
    }

    /// The bytes that a listener gets first when it joins at an offset: the header pages of an Ogg stream, or the head
    /// of FLAC. Empty if the offset is before the end of these bytes, because they are then sent as part of the stream.
    func preamble(at offset: Int) -> ArraySlice<UInt8> {
        guard let link = links.last(where: { $0.from <= offset }), offset >= link.headers.upperBound else { return [] }
        return bytes[link.headers]
    }

    /// The metadata block that applies at an offset.
    func announcement(at offset: Int) -> [UInt8]? {
        announcements.last { $0.place < frames.count && frames[$0.place].offset <= offset }?.block
    }
}

extension Array {
    /// The length of the prefix whose elements satisfy a condition. No later element may satisfy it.
    func prefixCount(where isInFront: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isInFront(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
