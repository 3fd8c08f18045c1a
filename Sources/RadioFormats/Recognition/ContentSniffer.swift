// SPDX-License-Identifier: MIT

/// Guesses the kind of a body from its first bytes, which may contradict the announced type.
struct ContentSniffer {
    let bytes: UnsafeRawBufferPointer
    /// Whether no more bytes will be examined.
    let isLast: Bool
    /// Whether `bytes` are the whole body.
    let isWhole: Bool
    /// The announced container, if it is audio that can be framed.
    let expected: Container?

    /// The fewest bytes from which a guess is made, unless the body has no more.
    static let leastBytes = 32
    /// How many packets prove an unsupported format. More packets are needed if a supported format was announced.
    private static let (enoughPackets, enoughUnexpectedPackets) = (5, 8)

    /// Guesses the kind of the body. Returns nil if the bytes say nothing (yet).
    func guess() -> ContentGuess? {
        guard isLast || bytes.count >= Self.leastBytes else { return nil }
        if begins(with: "OggS") { return .audio(.ogg) }
        if FLACStop.isHead(bytes) { return .audio(.flac) }
        if let marked = markedContainer() {
            return expected == nil ? marked : byFrames() ?? (isLast ? marked : nil)
        }
        if isMarkedPicture() {
            // A tag in a stream may contain a picture, and the stream may be joined at the first byte of that picture.
            // Then audio follows, but it may begin at any distance.
            return expected == nil || isWhole ? .unsupported(ContentHint.picture) : byFrames()
        }
        if let text = CharsetDecoder.utf16(bytes) {
            let sniffer = TextSniffer(Array(text.utf8), isLast: isLast)
            return sniffer.marked() ?? byFrames() ?? (isLast ? sniffer.unmarked() : nil)
        }
        if let text = DocumentText.unmarkedUTF16(bytes),
            let guess = TextSniffer(Array(text.utf8), isLast: isLast).marked()
        {
            return guess
        }
        let sniffer = TextSniffer(bytes, isLast: isLast)
        return sniffer.marked() ?? byFrames() ?? (isLast ? sniffer.unmarked() : nil)
    }

    /// The file type whose signature the bytes begin with; nil if there is no such signature.
    ///
    /// Most signatures are three or four bytes long, and other data may begin with them. So if audio was announced,
    /// frames are searched for as long as in any other body.
    private func markedContainer() -> ContentGuess? {
        if begins(with: "ftyp", at: 4) || begins(with: "styp", at: 4) { return .wrapped(.mp4) }
        let isWAV = begins(with: "WAVE", at: 8) && ["RIFF", "RF64", "BW64"].contains { begins(with: $0) }
        if isWAV || begins(with: "FORM") && begins(with: "AIF", at: 8) { return .wrapped(.pcm) }
        return markedName().map { .unsupported($0) }
    }

    private func markedName() -> String? {
        if begins(with: "ADIF") { return ContentHint.adif }
        if begins(with: "caff") { return ContentHint.caf }
        if begins(with: ".snd") { return ContentHint.au }
        if bytes.starts(with: [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11]) { return ContentHint.windows }
        if bytes.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) { return ContentHint.matroska }
        if bytes.starts(with: [0x1f, 0x8b, 0x08]) { return ContentHint.gzip }
        return nil
    }

    /// Whether the bytes begin as PNG, JPEG or GIF do.
    private func isMarkedPicture() -> Bool {
        bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) || bytes.starts(with: [0xff, 0xd8, 0xff]) || begins(with: "GIF8")
    }

    private func begins(with mark: StaticString, at place: Int = 0) -> Bool {
        mark.withUTF8Buffer { mark in bytes.dropFirst(place).starts(with: mark) }
    }

    /// The kind of the consecutive frames in the bytes, which may begin with the rest of a frame; nil if there are no
    /// such frames.
    private func byFrames() -> ContentGuess? {
        let links = expected == nil ? Self.enoughPackets : Self.enoughUnexpectedPackets
        let found: [(guess: ContentGuess, place: Int?)] = [
            (.audio(.mpeg), firstFrame(by: MPEGAudioFramer())),
            (.audio(.adts), firstFrame(by: ADTSFramer())),
            (.audio(.flac), firstFrame(by: FLACFramer())),
            (
                .unsupported(ContentHint.latm),
                PacketChain(syncByte: 0x56, links: links).start(in: bytes, lengthOf: loasFrameLength)
            ),
            (
                .wrapped(.transportStream),
                PacketChain(syncByte: 0x47, links: links).start(in: bytes, lengthOf: transportPacketLength)
            ),
        ]
        // The chain that begins first is the stream; a chain inside its payload begins later.
        return found.filter { $0.place != nil }.min { $0.place ?? 0 < $1.place ?? 0 }?.guess
    }

    private func firstFrame<F: Framer>(by newFramer: F) -> Int? {
        var framer = newFramer
        framer.append(bytes)
        if isLast { framer.finish() }
        while let event = framer.next() {
            if case .frame(let frame) = event { return Int(frame.offset) }
        }
        return nil
    }

    /// The length of a packet of a transport stream, whose header is free of errors and scrambling, and says that it has
    /// content. In a smooth bitmap, bytes at such a distance may be alike, but then the header's bytes are, too.
    private func transportPacketLength(at place: Int) -> Int? {
        guard place + 4 <= bytes.count, bytes[place + 1] & 0x80 == 0 else { return nil }
        return bytes[place + 3] & 0xC0 == 0 && bytes[place + 3] & 0x30 != 0 ? 188 : nil
    }

    /// The length of a LOAS frame (ISO 14496-3 §1.7.2, AudioSyncStream). Its header consists of eleven bits of sync and
    /// a length of 13 bits.
    private func loasFrameLength(at place: Int) -> Int? {
        guard place + 3 <= bytes.count, bytes[place + 1] & 0xe0 == 0xe0 else { return nil }
        return 3 + (Int(bytes[place + 1] & 0x1f) << 8 | Int(bytes[place + 2]))
    }
}
