// SPDX-License-Identifier: MIT

import Instants

/// A live programme on air: every byte that it will ever send, and when. A pure value, cheap to copy.
///
///     let programme = Broadcast([.music(.seconds(90))])
///     let withSilence = Broadcast(
///         [.music(.seconds(30)), .silence(.seconds(10)), .music(.seconds(30))], MPEGShape(192, sampleRate: 48_000))
///     let opus = try Broadcast(ReferenceProgramme(.init(.opus(96), seconds: 60)))
///
/// Times are counted from the beginning of the broadcast. An encoder puts out whole frames, and whole pages of Ogg,
/// when it has heard all of them: all bytes of a *unit* (frame or page) are on air at the end of its media time. What a
/// server sends of it to a listener says ``LiveStream``.
package struct Broadcast: Sendable {
    /// One frame (Ogg: one audio packet).
    package struct Frame: Sendable {
        package let bytes: ArraySlice<UInt8>
        /// The media time at which it begins.
        package let start: Duration
        package let length: Duration
        /// Where in ``Broadcast/bytes`` it begins (Ogg: where the page does that it begins in).
        let offset: Int
    }

    /// A unit of the stream, in bytes and in time.
    struct Unit: Sendable {
        /// Where its bytes end in ``Broadcast/bytes``; they begin where those of the unit before it end.
        var end: Int
        /// When all of it has aired.
        var airs: Duration
    }

    /// The programme as an encoder puts it out.
    package let bytes: [UInt8]
    package let container: FrameChecker.Container
    package let contentType: String
    /// All frames, by their *place* in the programme.
    package let frames: [Frame]
    let units: [Unit]
    /// Ogg: the header pages of each link, with the offset at which the link begins.
    let links: [(from: Int, headers: Range<Int>)]
    /// What the station says in ICY metadata, in order: the place of the first frame that it belongs to, and the whole
    /// metadata block, its length byte and all. See ``title(_:from:)``.
    package var announcements: [(place: Int, block: [UInt8])] = []

    init(
        bytes: [UInt8], container: FrameChecker.Container, contentType: String, frames: [Frame], units: [Unit],
        links: [(from: Int, headers: Range<Int>)] = []
    ) {
        (self.bytes, self.container, self.contentType) = (bytes, container, contentType)
        (self.frames, self.units, self.links) = (frames, units, links)
    }

    /// How long all of it lasts.
    package var length: Duration { units.last?.airs ?? .zero }

    /// The same programme in which something has a title from a frame on. Titles are given in the order of their
    /// places.
    package func title(_ text: String, from place: Int) -> Broadcast {
        announcing(ICYBody.block("StreamTitle='\(text)';"), from: place)
    }

    /// The same programme with a metadata block of any kind: a length byte, and behind it the number of bytes that it
    /// says, or another.
    package func announcing(_ block: [UInt8], from place: Int) -> Broadcast {
        var copy = self
        copy.announcements.append((place, block))
        return copy
    }

    /// The same programme with other bytes, as where something is broken between the encoder and the server: masks by
    /// the offset in ``bytes`` (MPEG audio and ADTS, where frames lie in one piece).
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

    /// How many bytes have aired at a time: the live edge.
    package func edge(at time: Duration) -> Int {
        let count = units.prefixCount { $0.airs <= time }
        return count == 0 ? 0 : units[count - 1].end
    }

    /// When `bytes` bytes have aired; nil where the programme has fewer.
    package func time(ofEdge bytes: Int) -> Duration? {
        guard bytes > 0 else { return .zero }
        let unit = units.prefixCount { $0.end < bytes }
        return unit < units.count ? units[unit].airs : nil
    }

    /// How many frames have aired whole at a time, and so the place of the first that has not.
    package func framesAired(at time: Duration) -> Int {
        frames.prefixCount { $0.start + $0.length <= time }
    }

    /// The place of the frame that a byte belongs to (Ogg: of the first frame that begins in its page or after it).
    package func place(ofByte offset: Int) -> Int {
        guard container != .ogg else { return frames.prefixCount { $0.offset < unitStart(containing: offset) } }
        return max(0, frames.prefixCount { $0.offset <= offset } - 1)
    }

    /// Where the bytes of some frames lie (MPEG audio and ADTS).
    package func byteRange(of places: Range<Int>) -> Range<Int> {
        let end = places.upperBound < frames.count ? frames[places.upperBound].offset : bytes.count
        return (places.isEmpty ? end : frames[places.lowerBound].offset)..<end
    }

    // MARK: For a server

    /// The beginning of the first unit that begins at or after an offset.
    func unitStart(atOrAfter offset: Int) -> Int {
        let unit = units.prefixCount { $0.end < offset }
        return offset == 0 ? 0 : unit < units.count ? units[unit].end : bytes.count
    }

    /// The middle of the first unit that begins at or after an offset; nil where there is none.
    func unitMiddle(atOrAfter offset: Int) -> Int? {
        let start = unitStart(atOrAfter: offset)
        let unit = units.prefixCount { $0.end <= start }
        return unit < units.count ? start + max(1, (units[unit].end - start) / 2) : nil
    }

    private func unitStart(containing offset: Int) -> Int {
        let unit = units.prefixCount { $0.end <= offset }
        return unit == 0 ? 0 : units[unit - 1].end
    }

    /// What a listener who joins at an offset is sent first: the header pages of an Ogg stream, unless they come next.
    func preamble(at offset: Int) -> ArraySlice<UInt8> {
        guard let link = links.last(where: { $0.from <= offset }), offset >= link.headers.upperBound else { return [] }
        return bytes[link.headers]
    }

    /// The metadata block that is valid at an offset.
    func announcement(at offset: Int) -> [UInt8]? {
        announcements.last { $0.place < frames.count && frames[$0.place].offset <= offset }?.block
    }
}

extension Array {
    /// How many elements at the front satisfy a condition that no element does after one that does not.
    func prefixCount(where isInFront: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isInFront(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
