// SPDX-License-Identifier: MIT

import CLibExpat
import RadioCore
import RadioFormats

/// Parses a feed piece by piece. Confined to one thread; never traps, and holds little more than the document.
///
/// It refuses documents that declare their own entities before it expands any. It reads the charsets of expat and of
/// ``Charset``.
package final class FeedParser {
    package static let longestBody = 4 << 20
    package static let deepest = 64

    private var reader: FeedReader
    private var parser: OpaquePointer?
    private var failure: FeedError?
    /// Bytes that are not parsed yet.
    private var waiting: [UInt8] = []
    private var total = 0
    private var hasBegun = false

    private static let leastAtOnce = 16 << 10

    /// `address` is the feed's own address; relative addresses are resolved against it.
    package init(address: String) {
        reader = FeedReader(address: address)
    }

    deinit {
        if let parser { ac_expat_free(parser) }
    }

    /// Whether parsing has failed, so that further bytes are ignored.
    package var isDone: Bool { failure != nil || reader.error != nil }

    /// The feed as read so far.
    package var soFar: Feed { reader.feed }

    package func append(_ bytes: UnsafeRawBufferPointer) {
        guard !isDone else { return }
        total += bytes.count
        guard total <= Self.longestBody else {
            failure = .tooLong
            return
        }
        waiting.append(contentsOf: bytes)
        // Expat scans an incomplete token again with each piece, so pieces grow with the document.
        if waiting.count >= max(Self.leastAtOnce, total / 4) { parse(isLast: false) }
    }

    /// Ends the document, and returns its feed. Throws if it is not a feed that can be read.
    package func finish() throws(FeedError) -> Feed {
        if !isDone { parse(isLast: true) }
        if let failure { throw failure }
        if let error = reader.error { throw error }
        return reader.feed
    }

    /// Like ``finish()``, but if the document is not well-formed, returns the items before the error. Feeds written by
    /// hand are often malformed.
    package func salvage() throws(FeedError) -> Feed {
        do throws(FeedError) {
            return try finish()
        } catch {
            guard case .malformed = error, !reader.feed.items.isEmpty else { throw error }
            var feed = reader.feed
            feed.damage = error
            return feed
        }
    }

    private func parse(isLast: Bool) {
        if !hasBegun { begin() }
        guard let parser, failure == nil else { return }
        let bytes = waiting
        waiting.removeAll(keepingCapacity: true)
        let error = bytes.withUnsafeBytes { ac_expat_parse(parser, $0.baseAddress, CInt($0.count), isLast) }
        // An error behind the last item that is kept does not matter.
        guard error != 0, reader.error == nil, reader.feed.leftOut == 0 else { return }
        failure = .malformed(
            String(cString: ac_expat_describe(error)), line: Int(clamping: ac_expat_line(parser)),
            column: Int(clamping: ac_expat_column(parser)))
    }

    private func begin() {
        hasBegun = true
        if let reason = ac_expat_problem() {
            failure = .noLibrary(String(cString: reason))
            return
        }
        dropBlanks()
        var hooks = ac_expat_hooks(
            context: Unmanaged.passUnretained(self).toOpaque(), start: startHook, end: endHook, text: textHook,
            entity: entityHook, skipped: skippedHook, encoding: encodingHook)
        parser = ac_expat_create(
            Self.isUTF8(waiting) ? "UTF-8" : nil, CChar(FeedElement.separator.asciiValue ?? 12), &hooks)
        if parser == nil { failure = .noLibrary("out of memory") }
    }

    /// Some servers send blank lines first, which XML does not allow.
    private func dropBlanks() {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var rest = waiting[...]
        if rest.starts(with: mark) { rest = rest.dropFirst(mark.count) }
        rest = rest.drop { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
        if rest.count < waiting.count, rest.first == UInt8(ascii: "<") { waiting = Array(rest) }
    }

    /// Whether the document names UTF-8 in one of the ways that expat does not know, such as `utf8`.
    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        let head = bytes.prefix(200)
        guard head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: UInt8(ascii: ">")) else { return false }
        let words = String(decoding: head[..<end], as: UTF8.self).split { " =\"'?".contains($0) }
        guard let key = words.firstIndex(of: "encoding"), words.indices.contains(key + 1) else { return false }
        return Charset(name: String(words[key + 1])) == .utf8
    }
}

// MARK: - Calls from expat

extension FeedParser {
    fileprivate func start(_ name: UnsafePointer<CChar>, _ attributes: UnsafePointer<UnsafePointer<CChar>?>) {
        var found: [(name: String, value: String)] = []
        var place = 0
        while found.count < Self.mostAttributes, let name = attributes[place], let value = attributes[place + 1] {
            found.append((String(cString: name), String(cString: value)))
            place += 2
        }
        tell { $0.start(String(cString: name), found) }
    }

    private static let mostAttributes = 64

    fileprivate func tell(_ body: (inout FeedReader) -> Void) {
        guard reader.error == nil else { return }
        body(&reader)
        if reader.error != nil, let parser { ac_expat_stop(parser) }
    }

    fileprivate func skip(_ name: String) {
        let text = HTMLText.scalar(named: name).map { String($0) } ?? "&\(name);"
        tell { reader in Array(text.utf8).withUnsafeBytes { reader.text($0) } }
    }

    fileprivate static func fill(_ map: UnsafeMutablePointer<CInt>, for name: String) -> Bool {
        guard let charset = Charset(name: name), charset != .utf8 else { return false }
        for byte in 0..<256 {
            let scalar = charset.decode([UInt8(byte)]).unicodeScalars.first ?? "\u{FFFD}"
            map[byte] = scalar == "\u{FFFD}" ? -1 : CInt(scalar.value)
        }
        return true
    }
}

private func parser(_ context: UnsafeMutableRawPointer) -> FeedParser {
    Unmanaged<FeedParser>.fromOpaque(context).takeUnretainedValue()
}

private func startHook(
    _ context: UnsafeMutableRawPointer, _ name: UnsafePointer<CChar>,
    _ attributes: UnsafePointer<UnsafePointer<CChar>?>
) {
    parser(context).start(name, attributes)
}

private func endHook(_ context: UnsafeMutableRawPointer, _ name: UnsafePointer<CChar>) {
    parser(context).tell { $0.end() }
}

private func textHook(_ context: UnsafeMutableRawPointer, _ bytes: UnsafePointer<CChar>, _ count: CInt) {
    parser(context).tell { $0.text(UnsafeRawBufferPointer(start: bytes, count: Int(count))) }
}

private func entityHook(_ context: UnsafeMutableRawPointer) {
    parser(context).tell { $0.end(with: .ownEntities) }
}

private func skippedHook(_ context: UnsafeMutableRawPointer, _ name: UnsafePointer<CChar>) {
    parser(context).skip(String(cString: name))
}

private func encodingHook(
    _ context: UnsafeMutableRawPointer, _ name: UnsafePointer<CChar>, _ map: UnsafeMutablePointer<CInt>
) -> Bool {
    FeedParser.fill(map, for: String(cString: name))
}
