// SPDX-License-Identifier: MIT

/// Finds whole pages in bytes. A page counts only if its checksum is right: "OggS" may also occur inside a packet.
struct OggPageScanner {
    enum Finding {
        /// A whole page, whose bytes ``withBytes(_:_:)`` gives until the next `append` or `compact`.
        case page(OggPage, range: Range<Int>, offset: Int64)
        case skipped(Int, SkipReason)
    }

    private var buffer = FramingBuffer()
    /// The number of bytes that must be at hand before the next attempt.
    private var needed = 0
    /// Whether the last finding was a page, so that the next page is due right here.
    private var isInStep = false
    /// Why the bytes since the last page are skipped.
    private var reason = SkipReason.junk
    private var isFinished = false
    /// The header of the page that ``next()`` waits for.
    private var header: OggPage.Look?
    /// The search for the successors of the long page that ``next()`` waits for.
    private var successors: OggSuccessors?
    /// How many bytes may still be checksummed. Each byte that is passed adds to the credit, so that the cost of nested
    /// false pages stays proportional to the input. Real streams never come near the limit.
    private var credit = creditPerByte * OggPage.maximumLength
    private static let creditPerByte = 16
    /// A page that claims to be no longer than this is soon complete, so the search for its successors is not
    /// worthwhile.
    private static let longestUnquestioned = 8 << 10

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        buffer.append(bytes)
    }

    mutating func compact() { buffer.compact() }

    mutating func finish() {
        isFinished = true
        needed = 0
    }

    /// Returns the next page, or the bytes skipped before it; nil if more bytes are needed.
    mutating func next() -> Finding? {
        guard buffer.count > 0, buffer.count >= needed else { return nil }
        let look = header ?? buffer.withUnread { OggPage.look($0) }
        switch look {
        case .page(let page, let checksum):
            header = look
            return take(page, checksum)
        case .needs(let count): return wait(for: count)
        case .none: return passOver(.junk)
        }
    }

    func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        buffer.withBytes(range, body)
    }

    private mutating func take(_ page: OggPage, _ checksum: UInt32) -> Finding? {
        if page.length > Self.longestUnquestioned {
            switch lookForSuccessors(of: page) {
            case .found: return passOver(.damaged)
            case .needs(let count): return wait(for: count)
            case .none: break
            }
        }
        guard buffer.count >= page.length else { return wait(for: page.length) }
        let isTrue = buffer.withUnread {
            Self.isTrue(UnsafeRawBufferPointer(rebasing: $0[..<page.length]), checksum, &credit)
        }
        guard isTrue else { return passOver(.damaged) }
        isInStep = true
        let offset = buffer.offset
        return .page(page, range: pass(page.length), offset: offset)
    }

    /// Searches for the pages after `page`. The search is charged to the credit as well, because false pages may be
    /// nested.
    private mutating func lookForSuccessors(of page: OggPage) -> OggSuccessors.Verdict {
        if successors == nil { credit = max(-1, credit - page.length) }
        var search = successors ?? OggSuccessors(of: page)
        let verdict = buffer.withUnread { search.look(in: $0, credit: &credit) }
        successors = search
        return verdict
    }

    private mutating func wait(for count: Int) -> Finding? {
        guard !isFinished else { return passOver(.truncated) }
        needed = count
        return nil
    }

    static func isTrue(_ page: UnsafeRawBufferPointer, _ checksum: UInt32, _ credit: inout Int) -> Bool {
        guard credit >= page.count else { return false }
        credit -= page.count
        return OggChecksum.of(page: page) == checksum
    }

    /// Skips bytes that are not a page, up to the next place where a page may begin.
    private mutating func passOver(_ why: SkipReason) -> Finding {
        if isInStep {
            isInStep = false
            reason = why
        }
        let length = buffer.withUnread { bytes in
            bytes.dropFirst().firstIndex(of: UInt8(ascii: "O")) ?? bytes.count
        }
        pass(length)
        return .skipped(length, reason)
    }

    @discardableResult
    private mutating func pass(_ length: Int) -> Range<Int> {
        needed = 0
        header = nil
        successors = nil
        credit = min(credit + Self.creditPerByte * length, Self.creditPerByte * OggPage.maximumLength)
        return buffer.pass(length)
    }
}
