// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// A station's packets as the pages that its listeners get, in a ring of their own. Confined to the loop's thread.
///
/// Packets are unchanged; page sequence and granule positions are ours. A new title or format begins a new link of the
/// chain, with header pages of its own, because that is where players look for titles.
struct OggPages {
    /// One page a frame; the header pages of a link are one frame together.
    private(set) var ring: Ring
    private var paginator: OggPaginator?
    private var format: StreamFormat?
    private var title: String?
    private var isLinkWanted = false
    private var granule: Int64 = 0
    private var serial: UInt32
    /// Those of which the ring may still have a page; the newest last.
    private var links: [Link] = []

    private struct Link {
        /// Where its header pages are, which are the first of a slab.
        let start: RingCursor
        let header: PinnedBytes
    }

    /// Little enough to be no delay, and enough for headers of pages to weigh nothing.
    private static let pageDuration = Duration.milliseconds(100)

    init(depth: Duration, serial: UInt32) {
        ring = Ring(depth: depth)
        self.serial = serial
    }

    /// The packets that follow have this format.
    mutating func begin(_ format: StreamFormat) {
        endLink()
        self.format = format
        isLinkWanted = true
    }

    /// The next packet is the first with this title.
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

    /// What must be sent ahead of the page at the cursor so that a decoder can play from there; nil where headers are
    /// what comes next.
    func header(at cursor: RingCursor) -> PinnedBytes? {
        var place = cursor
        // One at the end of a slab stands at the beginning of the next.
        _ = ring.bytes(at: &place)
        guard let link = links.last(where: { $0.start <= place }), link.start < place else { return nil }
        return link.header
    }

    /// Whether two places lie in different links; the first may have been overrun.
    func isLinkBetween(_ cursor: RingCursor, _ other: RingCursor) -> Bool {
        links.contains { cursor <= $0.start && $0.start < other }
    }

    /// The packets that follow do not follow those before: they begin a link.
    mutating func breakOff() {
        endLink()
        isLinkWanted = format != nil
    }

    /// Writes what is left, with the mark of the end.
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
        // In one piece: nobody is to begin between two header pages.
        header.withUnsafeBytes { _ = ring.append($0, FrameFacts(samples: 0)) }
        links.append(Link(start: RingCursor(slab: ring.liveEdge.slab, offset: 0), header: PinnedBytes(header)))
        forgetLinks()
    }

    /// Header pages may be large and titles many: links are kept for as long as the ring keeps pages of theirs.
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

    /// "Artist - Title" in two fields where it is that.
    private static func comments(_ title: String?) -> [(String, String)] {
        guard let title else { return [] }
        let split = SplitTitle(title)
        return [("ARTIST", split.artist ?? ""), ("TITLE", split.title)].filter { !$0.1.isEmpty }
    }
}
