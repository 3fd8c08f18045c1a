// SPDX-License-Identifier: MIT

/// Finds out what a response is: from its first bytes, and where they say nothing, from the content type and then from
/// the ending of the address.
///
/// Servers send HTML and playlists under audio types, and AAC as `audio/mpeg`, so the bytes decide wherever they can.
package struct StreamRecognizer: Hashable, Sendable {
    /// Once this number of bytes is there, there is an answer.
    package static let limit = 16 << 10

    /// What the content type says, and what the address says.
    private let hints: [ContentGuess]
    /// How many bytes there must be for the next look; nil after the last one.
    private var nextLook: Int? = ContentSniffer.leastBytes

    /// The value of the `Content-Type` header and the address, where there are any.
    package init(contentType: String?, url: String?) {
        let byType = contentType.flatMap(ContentHint.ofContentType)
        let byExtension = url.flatMap { URLReference($0).pathExtension }.flatMap(ContentHint.ofExtension)
        hints = [byType, byExtension].compactMap { $0 }
    }

    /// What a response that begins with `prefix` is; ``ContentGuess/undecided`` only where that is shorter than
    /// ``limit`` and not the whole body (`isComplete`). `prefix` grows from call to call, and after an answer nothing
    /// more is asked.
    ///
    /// It looks at beginnings of certain lengths, whatever the length of `prefix`, so the answer does not depend on how
    /// a body comes in pieces. Each look begins at the first byte: a look after every byte would cost quadratic time.
    package mutating func look(at prefix: UnsafeRawBufferPointer, isComplete: Bool = false) -> ContentGuess {
        while let length = nextLook, length <= prefix.count {
            nextLook = length < Self.limit ? min(length * 3 / 2, Self.limit) : nil
            let guess = guess(prefix[..<length], isLast: length == Self.limit, isWhole: false)
            if guess != .undecided { return guess }
        }
        return isComplete ? guess(prefix.prefix(Self.limit), isLast: true, isWhole: true) : .undecided
    }

    /// What a response that begins with `prefix` is, by all looks from the first one on.
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
            // Text that says no more of itself may be a list of addresses without any mark.
            return guess == .text ? listHint ?? .text : guess
        }
        guard isLast else { return .undecided }
        if body.isEmpty, !hasTag, let listHint { return listHint }
        return audioHint ?? (hasTag ? .audio(.mpeg) : .unknown)
    }

    /// What the hints say of readable text.
    private var listHint: ContentGuess? {
        hints.first { hint in
            switch hint {
            case .playlist, .hls: true
            default: false
            }
        }
    }

    /// What the first hint names, where that is audio that can be framed.
    private var expected: Container? {
        guard case .audio(let container)? = hints.first else { return nil }
        return container
    }

    /// What the hints say of bytes that are not readable text.
    private var audioHint: ContentGuess? {
        hints.first { hint in
            switch hint {
            case .audio, .unsupported: true
            default: false
            }
        }
    }
}
