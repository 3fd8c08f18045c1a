// SPDX-License-Identifier: MIT

/// Finds whole pages in bytes. A page counts only when its checksum is right: "OggS" may as well stand in a packet.
struct OggPageScanner {
    enum Finding {
        /// A whole page; its bytes are at ``withBytes(_:_:)`` until the next `append`.
        case page(OggPage, range: Range<Int>, offset: Int64)
        case skipped(Int, SkipReason)
    }

    private var buffer = FramingBuffer()
    /// Bytes without which there is no use in looking again.
    private var needed = 0
    /// The last thing was a page, so that the next one is due right here.
    private var isInStep = false
    /// What bytes outside pages are, since there was a page.
    private var reason = SkipReason.junk
    private var isFinished = false
    /// How many bytes may still be summed up. Each byte that is passed pays for some, so that nested pages that are
    /// none cost no more than a fixed share; honest streams never come near the limit.
    private var credit = creditPerByte * OggPage.maximumLength
    private static let creditPerByte = 16

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        buffer.append(bytes)
    }

    mutating func finish() {
        isFinished = true
        needed = 0
    }

    /// The next page or what was passed over on the way to it; nil: feed me more.
    mutating func next() -> Finding? {
        guard buffer.count > 0, buffer.count >= needed else { return nil }
        switch buffer.withUnread({ OggPage.look($0) }) {
        case .page(let page, let checksum):
            guard isTrue(page, checksum) else { return passOver(.damaged) }
            isInStep = true
            let offset = buffer.offset
            return .page(page, range: pass(page.length), offset: offset)
        case .needs(let count):
            guard !isFinished else { return passOver(.truncated) }
            needed = count
            return nil
        case .none:
            return passOver(.junk)
        }
    }

    func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        buffer.withBytes(range, body)
    }

    private mutating func isTrue(_ page: OggPage, _ checksum: UInt32) -> Bool {
        guard credit >= page.length else { return false }
        credit -= page.length
        return buffer.withUnread { OggChecksum.of(page: UnsafeRawBufferPointer(rebasing: $0[..<page.length])) }
            == checksum
    }

    /// Passes over what is no page, up to the next place where one may begin.
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
        credit = min(credit + Self.creditPerByte * length, Self.creditPerByte * OggPage.maximumLength)
        return buffer.pass(length)
    }
}
