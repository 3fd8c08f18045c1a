// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Stations

/// The titles of a hub's timeline as blocks of metadata, each made once for all listeners.
final class TitleBlocks {
    /// The block that reports no change.
    let unchanged = PinnedBytes([0])
    private let hub: StreamHub
    /// The blocks that are kept, the newest last. `start` is the byte from which the title counts.
    private var made: [(start: Int64, block: PinnedBytes)] = []

    /// The maximum number of blocks kept. It covers the distance between listeners, unless a station has a new title
    /// every few frames.
    private static let limit = 64

    init(of hub: StreamHub) {
        self.hub = hub
    }

    /// The block with the title of the frame that starts at this byte; nil if the frame has no title.
    func block(at byte: Int64) -> PinnedBytes? {
        guard let title = hub.timeline.title(atByte: byte) else { return nil }
        if let old = made.last(where: { $0.start == title.position.bytes }) { return old.block }
        if made.count == Self.limit { made.removeFirst() }
        let block = PinnedBytes(ICYMetadata.encoded(title: title.text, url: title.url))
        made.append((title.position.bytes, block))
        return block
    }
}
