// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// A station's packets as Ogg pages for listeners, in their own ring.
///
/// The packets are unchanged; page sequence numbers and granule positions are new. A new title or format begins a new
/// link of the chained stream, with its own header pages, because players read titles there.
struct OggPages {
    /// One page per frame; all header pages of a link form a single frame.
    private(set) var ring: Ring
    private var paginator: OggPaginator?
    private var format: StreamFormat?
    private var title: String?
    private var isLinkWanted = false
    private var granule: Int64 = 0
    private var serial: UInt32
    /// The links of which the ring may still contain a page, the newest last.
    private var links: [Link] = []

    private struct Link {
        /// The place of the link's header pages, at the start of a slab.
        let start: RingCursor
        let header: PinnedBytes
    }

    /// The duration of the audio in a page: short enough to cause no noticeable delay, and long enough that page
    /// headers cost little.
    private static let pageDuration = Duration.milliseconds(100)

    init(depth: Duration, serial: UInt32) {
        ring = Ring(depth: depth)
        self.serial = serial
    }

    /// Sets the format of the following packets.
    mutating func begin(_ format: StreamFormat) {
        endLink()
        self.format = format
        isLinkWanted = true
    }

    /// Sets the title from the next packet on.
    mutating func setTitle(_ title: String) {
        endLink()
        self.title = title.isEmpty ? nil : title
        isLinkWanted = true
    }

    mutating func append(_ chunk: Chunk) {
        if isLinkWanted { beginLink() }
        var pages: [UInt8] = []
        for index in chunk.frames {
            let samples = Int(chunk.slab.samples(ofFrames: index..<index + 1))
            chunk.slab.withBytes(chunk.slab.range(ofFrame: index)) { packet in
                paginator?.append(packet: packet, samples: samples, into: &pages)
            }
        }
        put(pages)
    }

    /// What a decoder needs before the page at the cursor; nil if the header pages follow anyway.
    func header(at cursor: RingCursor) -> PinnedBytes? {
        var place = cursor
        // Normalise a cursor at the end of a slab to the start of the next slab.
        _ = ring.bytes(at: &place)
        guard let link = links.last(where: { $0.start <= place }), link.start < place else { return nil }
        return link.header
    }

    /// Whether a link begins between two places, the first of which may have been overrun.
    func isLinkBetween(_ cursor: RingCursor, _ other: RingCursor) -> Bool {
        links.contains { cursor <= $0.start && $0.start < other }
    }

    /// Ends the link at a discontinuity: the following packets begin a new one.
    mutating func breakOff() {
        endLink()
        isLinkWanted = format != nil
    }

    /// Writes the remaining packets, and marks the end of the stream.
    mutating func endLink() {
        var pages: [UInt8] = []
        paginator?.finish(into: &pages)
        paginator = nil
        put(pages)
    }

    private mutating func beginLink() {
        guard let format else { return }
        isLinkWanted = false
        serial &+= 1
        var paginator = OggPaginator(
            format: format, serial: serial, comments: Self.comments(title), pageDuration: Self.pageDuration)
        let header = paginator.headerPages()
        self.paginator = paginator
        ring.begin(format)
        granule = 0
        // The header pages are appended as one frame, because no listener may begin between two of them.
        header.withUnsafeBytes { _ = ring.append($0, FrameFacts(samples: 0)) }
        links.append(Link(start: RingCursor(slab: ring.liveEdge.slab, offset: 0), header: PinnedBytes(header)))
        forgetLinks()
    }

    /// Header pages may be large and titles many, so a link is kept only as long as the ring has pages of it.
    private mutating func forgetLinks() {
        while links.count > 1, ring.isOverrun(RingCursor(slab: links[1].start.slab - 1, offset: 0)) {
            links.removeFirst()
        }
    }

    private mutating func put(_ pages: [UInt8]) {
        pages.withUnsafeBytes { bytes in
            for page in OggPageList(bytes) {
                let samples = max(0, (page.granule ?? granule) - granule)
                granule += samples
                let facts = FrameFacts(samples: Int(clamping: samples))
                _ = ring.append(page.bytes, facts)
            }
        }
    }

    /// Splits "Artist - Title" into two fields if the title has that form.
    private static func comments(_ title: String?) -> [(String, String)] {
        guard let title else { return [] }
        let split = SplitTitle(title)
        return [("ARTIST", split.artist ?? ""), ("TITLE", split.title)].filter { !$0.1.isEmpty }
    }
}
