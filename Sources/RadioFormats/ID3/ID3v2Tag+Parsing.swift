// SPDX-License-Identifier: MIT

extension ID3v2Tag {
    /// The maximum number of frames that are read. Further frames are ignored: no real tag has so many.
    private static let maximumFrames = 1024

    /// Parses the text frames of a tag; nil if the bytes do not begin with one.
    ///
    /// Bytes after the tag are ignored. If the tag or one of its frames claims more bytes than there are, only the
    /// whole frames before that place are returned. Compressed and encrypted frames are skipped.
    package init?(parsing bytes: UnsafeRawBufferPointer) {
        self.init(reading: bytes)
    }

    /// Parses the text frames of a tag like ``init(parsing:)``. The first byte of the tag is at index 0. Generic, so
    /// that tests can count the bytes that are read.
    /// `others` is given the name and the content of each frame that has no text.
    package init?(reading bytes: some IndexedBytes, others: ((String, [UInt8]) -> Void)? = nil) {
        guard let header = ID3v2Header(bytes) else { return nil }
        self.init()
        guard !header.isCompressed else { return }
        let end = min(bytes.count, ID3v2Header.length + header.bodyLength)
        let body = bytes[ID3v2Header.length..<end]
        // Up to version 2.3, the body is unsynchronised as a whole; since 2.4, each frame is unsynchronised by itself.
        if header.isUnsynchronised, header.version < 4 {
            readFrames(of: body.synchronised()[...], header, others)
        } else {
            readFrames(of: body, header, others)
        }
    }

    /// Parses the text frames of a tag in an array, like the initializers above.
    package init?(parsing bytes: [UInt8]) {
        guard let tag = bytes.withUnsafeBytes({ ID3v2Tag(parsing: $0) }) else { return nil }
        self = tag
    }

    private mutating func readFrames(
        of body: some IndexedBytes, _ header: ID3v2Header, _ others: ((String, [UInt8]) -> Void)?
    ) {
        var offset = body.startIndex
        if header.hasExtendedHeader {
            guard body.count >= 4 else { return }
            // In version 2.4, the size includes its own four bytes; in 2.3, it does not.
            offset += header.version == 4 ? body.synchsafe(at: offset) ?? 6 : 4 + body.bigEndian(at: offset, count: 4)
        }
        for _ in 0..<Self.maximumFrames {
            guard let frame = RawID3v2Frame(in: body, at: offset, header) else { return }
            if let text = frame.parsed(header) {
                frames.append(text)
            } else if let others, let content = frame.content(header) {
                others(frame.id, content)
            }
            offset = frame.end
        }
    }
}

/// A frame in the body of a tag, not parsed yet.
private struct RawID3v2Frame<Body: IndexedBytes> {
    let id: String
    private let flags: Int
    private let stored: Body.SubSequence
    /// The offset in the body at which the next frame is due.
    let end: Int

    /// The frame at `offset`; nil if there is none (padding, the end, something else), or if it is not whole.
    init?(in body: Body, at offset: Int, _ header: ID3v2Header) {
        let nameLength = header.version == 2 ? 3 : 4
        let headLength = header.version == 2 ? 6 : 10
        guard offset <= body.endIndex - headLength else { return nil }
        let name = body[offset..<offset + nameLength]
        guard name.allSatisfy(\.isFrameNameByte) else { return nil }
        let size =
            switch header.version {
            case 2: body.bigEndian(at: offset + 3, count: 3)
            case 3: body.bigEndian(at: offset + 4, count: 4)
            default: Self.size(in: body, at: offset)
            }
        let start = offset + headLength
        guard size <= body.endIndex - start else { return nil }
        id = String(decoding: name, as: UTF8.self)
        flags = header.version == 2 ? 0 : body.bigEndian(at: offset + 8, count: 2)
        stored = body[start..<start + size]
        end = start + size
    }

    /// The size of a 2.4 frame. It should be synchsafe, but a widespread writer stored it plain: the right reading is
    /// the one after which a frame, padding or the end follows.
    private static func size(in body: Body, at offset: Int) -> Int {
        let plain = body.bigEndian(at: offset + 4, count: 4)
        guard let size = body.synchsafe(at: offset + 4) else { return plain }
        let start = offset + 10
        return !isBoundary(start + size, in: body) && isBoundary(start + plain, in: body) ? plain : size
    }

    private static func isBoundary(_ offset: Int, in body: Body) -> Bool {
        if offset >= body.endIndex { return offset == body.endIndex }
        return body[offset] == 0
            || offset + 10 <= body.endIndex && body[offset..<offset + 4].allSatisfy(\.isFrameNameByte)
    }

    /// The parsed frame; nil if its kind is not supported.
    func parsed(_ header: ID3v2Header) -> ID3v2Frame? {
        guard let name = Self.longName(id), let content = content(header) else { return nil }
        return ID3v2Frame(name: name, content: content)
    }

    /// The content as it was before it was stored; nil if it is compressed or encrypted.
    func content(_ header: ID3v2Header) -> [UInt8]? {
        var isUnsynchronised = false
        var prefix = 0
        switch header.version {
        case 3:
            guard flags & 0xC0 == 0 else { return nil }
            prefix = flags & 0x20 != 0 ? 1 : 0
        case 4:
            guard flags & 0x0C == 0 else { return nil }
            // The group number, and the length before unsynchronisation: neither is needed.
            prefix = (flags & 0x40 != 0 ? 1 : 0) + (flags & 0x01 != 0 ? 4 : 0)
            isUnsynchronised = flags & 0x02 != 0 || header.isUnsynchronised
        default:
            break
        }
        let bytes = stored.dropFirst(prefix)
        return isUnsynchronised ? bytes.synchronised() : Array(bytes)
    }

    /// The four-letter name of 2.3 and 2.4, also for a frame of 2.2; nil if such frames are not supported.
    private static func longName(_ id: String) -> String? {
        if id.utf8.count == 4 { return id.hasPrefix("T") || id.hasPrefix("W") || id == "COMM" ? id : nil }
        return switch id {
        case "TT1": "TIT1"
        case "TT2": "TIT2"
        case "TT3": "TIT3"
        case "TP1": "TPE1"
        case "TP2": "TPE2"
        case "TAL": "TALB"
        case "TCO": "TCON"
        case "TCM": "TCOM"
        case "TEN": "TENC"
        case "TRK": "TRCK"
        case "TSS": "TSSE"
        case "TYE": "TYER"
        case "TXX": "TXXX"
        case "COM": "COMM"
        case "WAF": "WOAF"
        case "WAR": "WOAR"
        case "WAS": "WOAS"
        default: nil
        }
    }
}

extension ID3v2Frame {
    /// Creates a frame from its content: encoding, description, text. Nil if the content is incomplete, or its encoding
    /// is unknown.
    fileprivate init?(name: String, content: [UInt8]) {
        if name.hasPrefix("W") {
            guard name != "WXXX" else { return nil }
            self = .link(id: name, ID3TextEncoding.latin1.strings(in: content[...], limit: 1)[0])
            return
        }
        guard let first = content.first, let encoding = ID3TextEncoding(rawValue: first) else { return nil }
        switch name {
        case "COMM":
            let strings = encoding.strings(in: content.dropFirst(4), limit: 2)
            guard strings.count == 2 else { return nil }
            let language = String(decoding: content[1..<4], as: UTF8.self)
            self = .comment(language: language, description: strings[0], strings[1])
        case "TXXX":
            let strings = encoding.strings(in: content.dropFirst())
            guard strings.count >= 2 else { return nil }
            self = .userText(description: strings[0], Self.joined(strings.dropFirst()))
        default:
            self = .text(id: name, Self.joined(encoding.strings(in: content.dropFirst())[...]))
        }
    }

    private static func joined(_ values: ArraySlice<String>) -> String {
        values.filter { !$0.isEmpty }.joined(separator: " / ")
    }
}

extension Collection<UInt8> {
    /// The bytes without the zeros that unsynchronisation put after each 0xFF.
    fileprivate func synchronised() -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(count)
        var previous: UInt8 = 0
        for byte in self {
            if previous != 0xFF || byte != 0 { output.append(byte) }
            previous = byte
        }
        return output
    }
}
