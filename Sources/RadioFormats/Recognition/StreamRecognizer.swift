// SPDX-License-Identifier: MIT

/// Recognizes the kind of a response from its first bytes. If these say nothing, the content type decides, and then the
/// extension of the address.
///
/// Servers send HTML and playlists under audio types, and AAC as `audio/mpeg`, so the bytes decide wherever they can.
package struct StreamRecognizer: Hashable, Sendable {
    /// With this many bytes, there is always an answer.
    package static let limit = 16 << 10

    /// What the content type suggests, then what the extension of the address suggests.
    private let hints: [ContentGuess]
    /// The number of bytes that the next look needs; nil after the last look.
    private var nextLook: Int? = ContentSniffer.leastBytes

    /// Takes the value of the `Content-Type` header and the address, if there are any.
    package init(contentType: String?, url: String?) {
        let byType = contentType.flatMap(ContentHint.ofContentType)
        let byExtension = url.flatMap { URLReference($0).pathExtension }.flatMap(ContentHint.ofExtension)
        hints = [byType, byExtension].compactMap { $0 }
    }

    /// Whether type or address say that it is MP4.
    package var expectsMP4: Bool { hints.first == .wrapped(.mp4) }

    /// Recognizes a response that begins with `prefix`. Returns ``ContentGuess/undecided`` only if `prefix` is shorter
    /// than ``limit`` and not the whole body (`isComplete`). `prefix` must grow from call to call. Do not call again
    /// after an answer.
    ///
    /// Only beginnings of certain lengths are examined, whatever the length of `prefix`, so the answer does not depend
    /// on how the body is split. Each look begins at the first byte, so a look after every byte would cost quadratic
    /// time.
    package mutating func look(at prefix: UnsafeRawBufferPointer, isComplete: Bool = false) -> ContentGuess {
        while let length = nextLook, length <= prefix.count {
            nextLook = length < Self.limit ? min(length * 3 / 2, Self.limit) : nil
            let guess = guess(prefix[..<length], isLast: length == Self.limit, isWhole: false)
            if guess != .undecided { return guess }
        }
        return isComplete ? guess(prefix.prefix(Self.limit), isLast: true, isWhole: true) : .undecided
    }

    /// Recognizes a response that begins with `prefix`, with all looks from the first one on.
    package func guess(_ prefix: UnsafeRawBufferPointer, isComplete: Bool = false) -> ContentGuess {
        var recognizer = self
        recognizer.nextLook = ContentSniffer.leastBytes
        return recognizer.look(at: prefix, isComplete: isComplete)
    }

    private func guess(_ beginning: Slice<UnsafeRawBufferPointer>, isLast: Bool, isWhole: Bool) -> ContentGuess {
        var body = UnsafeRawBufferPointer(rebasing: beginning)
        var hasTag = false
        skipping: while body.first == UInt8(ascii: "I") {
            switch TagSkipper.look(body) {
            case .none: break skipping
            case .incomplete:
                guard isLast else { return .undecided }
                break skipping
            case .tag(let length):
                hasTag = true
                guard length < body.count else { return isLast ? audioHint ?? .audio(.mpeg) : .undecided }
                body = UnsafeRawBufferPointer(rebasing: body[length...])
            }
        }
        let sniffer = ContentSniffer(bytes: body, isLast: isLast, isWhole: isWhole, expected: expected)
        if let guess = sniffer.guess() {
            // Text without a signature may be a list of addresses, also behind the warnings of a script.
            return guess == .text || guess == .xml ? listHint ?? guess : guess
        }
        guard isLast else { return .undecided }
        if body.isEmpty, !hasTag, let listHint { return listHint }
        return audioHint ?? (hasTag ? .audio(.mpeg) : .unknown)
    }

    /// What the hints say about readable text.
    private var listHint: ContentGuess? {
        hints.first { hint in
            switch hint {
            case .playlist, .hls: true
            default: false
            }
        }
    }

    /// The container that the first hint names, if it is audio that can be framed.
    private var expected: Container? {
        guard case .audio(let container)? = hints.first else { return nil }
        return container
    }

    /// What the hints say about bytes that are not readable text.
    private var audioHint: ContentGuess? {
        hints.first { hint in
            switch hint {
            case .audio, .wrapped, .unsupported: true
            default: false
            }
        }
    }
}
