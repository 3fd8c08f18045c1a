// SPDX-License-Identifier: MIT

/// Titles of metadata blocks whose frame has not arrived yet. A value; bounded.
struct WaitingTitles {
    /// A title, and the address that came with it.
    struct Title {
        let raw: [UInt8]
        let url: String?
        /// See ``ICYMetadata/isAdvert``.
        var isAdvert = false

        var bytes: Int { raw.count + (url?.utf8.count ?? 0) }
    }

    private var titles: [(offset: Int64, title: Title)] = []
    private var bytes = 0

    /// Only a faulty server sends more than this before the next frame. The older half is then dropped.
    private static let mostBytes = 256 << 10
    /// The size of an entry in bytes, without its text.
    private static let entryBytes = 64

    /// Adds a title whose block stood after `offset` bytes of audio.
    mutating func add(_ title: Title, behind offset: Int64) {
        titles.append((offset, title))
        bytes += Self.entryBytes + title.bytes
        if bytes > Self.mostBytes { remove(titles.count / 2) }
    }

    /// Takes out the title that begins with the frame at `offset`. If several titles begin there, returns the last of
    /// them.
    mutating func title(ofFrameAt offset: Int64) -> Title? {
        guard let first = titles.first, first.offset <= offset else { return nil }
        let due = titles.prefix { $0.offset <= offset }
        remove(due.count)
        return due.last?.title
    }

    private mutating func remove(_ count: Int) {
        bytes -= titles.prefix(count).reduce(0) { $0 + Self.entryBytes + $1.title.bytes }
        titles.removeFirst(count)
    }
}
