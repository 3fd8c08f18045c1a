// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Which title applies at which byte of a station, ready to send. Confined to the loop's thread.
struct TitleTimeline {
    /// The block that says that nothing has changed.
    let unchanged = PinnedBytes([0])
    private var entries: [(start: Int64, block: PinnedBytes)] = []

    /// A title ten times a second for as long as a ring is deep; of more the oldest are forgotten.
    private static let limit = 512

    mutating func add(_ title: StreamTitle) {
        if entries.count == Self.limit { entries.removeFirst() }
        entries.append((title.position.bytes, PinnedBytes(ICYMetadata.encoded(title: title.text))))
    }

    /// The block of the title of the frame that starts at this byte; nil where none is known.
    func block(at byte: Int64) -> PinnedBytes? {
        entries.last { $0.start <= byte }?.block
    }
}
