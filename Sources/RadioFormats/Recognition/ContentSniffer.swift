// SPDX-License-Identifier: MIT

/// What the first bytes of a body say, whatever was claimed about it.
struct ContentSniffer {
    let bytes: UnsafeRawBufferPointer
    /// No more bytes will be looked at.
    let isLast: Bool
    /// The kind of audio that was announced, where that is one that can be framed.
    let expected: ContentGuess.Audio?

    /// Nothing is said of less, unless there is no more.
    static let leastBytes = 32
    /// Packets that prove what cannot be used; more where something else was announced.
    private static let (enoughPackets, enoughUnexpectedPackets) = (5, 8)

    /// Nil where the bytes say nothing (yet).
    func guess() -> ContentGuess? {
        guard isLast || bytes.count >= Self.leastBytes else { return nil }
        if let guess = bySignature() { return guess }
        if let text = CharsetDecoder.utf16(bytes) {
            let sniffer = TextSniffer(Array(text.utf8), isLast: isLast)
            return sniffer.marked() ?? byFrames() ?? (isLast ? sniffer.unmarked() : nil)
        }
        let sniffer = TextSniffer(bytes, isLast: isLast)
        return sniffer.marked() ?? byFrames() ?? (isLast ? sniffer.unmarked() : nil)
    }

    /// Marks that files of a kind begin with.
    private func bySignature() -> ContentGuess? {
        func has(_ mark: StaticString, at place: Int = 0) -> Bool {
            mark.withUTF8Buffer { mark in bytes.dropFirst(place).starts(with: mark) }
        }
        func has(_ mark: [UInt8]) -> Bool { bytes.starts(with: mark) }

        if has("OggS") { return .audio(.ogg) }
        if has("fLaC") { return .unsupported(ContentHint.flac) }
        if has("RIFF"), has("WAVE", at: 8) { return .unsupported(ContentHint.wav) }
        if has("FORM"), has("AIF", at: 8) { return .unsupported(ContentHint.aiff) }
        if has("ftyp", at: 4) || has("styp", at: 4) { return .unsupported(ContentHint.mp4) }
        if has("ADIF") { return .unsupported(ContentHint.adif) }
        if has("caff") { return .unsupported(ContentHint.caf) }
        if has(".snd") { return .unsupported(ContentHint.au) }
        if has([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11]) { return .unsupported(ContentHint.windows) }
        if has([0x1a, 0x45, 0xdf, 0xa3]) { return .unsupported(ContentHint.matroska) }
        if has([0x1f, 0x8b, 0x08]) { return .unsupported(ContentHint.gzip) }
        if has([0x89, 0x50, 0x4e, 0x47]) || has([0xff, 0xd8, 0xff]) || has("GIF8") {
            return .unsupported(ContentHint.picture)
        }
        return nil
    }

    /// Frames that follow each other, from the beginning or after the rest of one that was under way.
    private func byFrames() -> ContentGuess? {
        let links = expected == nil ? Self.enoughPackets : Self.enoughUnexpectedPackets
        let found: [(guess: ContentGuess, place: Int?)] = [
            (.audio(.mpeg), firstFrame(by: MPEGAudioFramer())),
            (.audio(.adts), firstFrame(by: ADTSFramer())),
            (
                .unsupported(ContentHint.latm),
                PacketChain(syncByte: 0x56, links: links).start(in: bytes, lengthOf: loasFrameLength)
            ),
            (
                .unsupported(ContentHint.transportStream),
                PacketChain(syncByte: 0x47, links: links).start(in: bytes) { _ in 188 }
            ),
        ]
        // What begins first is the stream; a chain inside its payload begins later.
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

    /// ISO 14496-3 §1.7.2, AudioSyncStream: eleven bits of sync and a length of 13 bits.
    private func loasFrameLength(at place: Int) -> Int? {
        guard place + 3 <= bytes.count, bytes[place + 1] & 0xe0 == 0xe0 else { return nil }
        return 3 + (Int(bytes[place + 1] & 0x1f) << 8 | Int(bytes[place + 2]))
    }
}
