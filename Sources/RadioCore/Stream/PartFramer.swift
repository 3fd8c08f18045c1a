// SPDX-License-Identifier: MIT

package import RadioFormats

/// The way from bytes to stream parts: recognizes what the bytes are, takes audio out of what wraps it, frames the
/// audio, and counts what is not audio. For connections and files alike; ICY metadata must be taken out of the bytes before. A value.
///
/// The same bytes yield the same parts however they are split; only runs of frames and skips may be cut differently.
package struct PartFramer {
    package enum Output {
        /// Consecutive frames, with the bytes of all of them, which are valid during the call only.
        case frames(FrameBatch, UnsafeRawBufferPointer)
        /// Anything but a frame.
        case part(StreamPart)
        /// Bytes that are not frames.
        case skipped(bytes: Int, SkipReason)
        /// The checksum of the next frame is wrong.
        case wrongChecksum
    }

    /// What the bytes are. Only audio is framed.
    package private(set) var content = ContentGuess.undecided
    /// The bytes that were received without being recognized as audio; the first of them if something wraps them.
    package private(set) var prefix: [UInt8] = []
    private var recognizer: StreamRecognizer
    /// Takes the audio out of bytes that wrap it.
    private var unwrapper: Unwrapper?
    private var framer: (any Framer)?
    /// A buffer, reused.
    private var run: [Frame] = []
    /// The number of bytes since the last frame, without tags and attachments.
    private var idle = 0

    /// How much is kept of what a wrapper has before its audio.
    private static let longestPrefix = 64 << 10

    private static let mostIdle = 1 << 20

    /// Frames bytes of any kind that their beginning shows. A content type and an address help to recognize it.
    package init(contentType: String? = nil, name: String?) {
        recognizer = StreamRecognizer(contentType: contentType, url: name)
    }

    /// Frames bytes of a known container.
    package init(_ container: Container) {
        recognizer = StreamRecognizer(contentType: nil, url: nil)
        (content, framer) = (.audio(container), container.makeFramer())
    }

    /// Frames the audio of a file from a place on that the file's head has told.
    package init(_ start: WrappedStart) {
        recognizer = StreamRecognizer(contentType: nil, url: nil)
        unwrapper = Unwrapper(start.wrapper, start.makeDemuxer())
    }

    /// Frames a file of known content: from `start` on if there is one, else from its first byte.
    package init(_ content: ContentGuess, _ start: WrappedStart?) {
        self.init(name: nil)
        if let start {
            self.init(start)
        } else if case .audio(let container) = content {
            self.init(container)
        } else if case .wrapped(let wrapper) = content {
            unwrapper = Unwrapper(wrapper, wrapper.makeDemuxer())
        }
    }

    /// Whether the audio is taken out of bytes that wrap it. Then the offsets of frames are those in the audio that
    /// comes out, and what wraps it is not counted as skipped.
    package var isWrapped: Bool { unwrapper != nil }

    /// Whether the bytes have been recognized as audio.
    package var isRecognized: Bool { framer != nil }

    /// Whether so many bytes have come since the last frame that the rest is probably not audio either.
    ///
    /// For files, which would only keep listeners waiting. A station that sends no frames is judged by time, which is
    /// over sooner than so many bytes have come.
    package var lacksAudio: Bool { idle > Self.mostIdle }

    /// See ``Framer/infoFrame``.
    package var infoFrame: MPEGInfoFrame? { framer?.infoFrame }

    /// See ``Framer/holdsFrame``.
    package var holdsFrame: Bool { framer?.holdsFrame ?? false }
}

// MARK: - Bytes in

extension PartFramer {
    /// Takes the next bytes. Passes what they yield to `take`, until `take` returns false.
    package mutating func push(_ bytes: UnsafeRawBufferPointer, _ take: (Output) -> Bool) {
        if isWrapped {
            if framer == nil, prefix.count < Self.longestPrefix { prefix.append(contentsOf: bytes) }
            return unwrap(bytes, take)
        } else if isRecognized {
            framer?.append(bytes)
        } else if content == .undecided {
            prefix.append(contentsOf: bytes)
            recognize(isComplete: false)
            if isWrapped { return unwrapPrefix(take) }
        }
        drain(take)
    }

    /// Ends the bytes: yields the last whole frame, or counts the rest as truncated.
    package mutating func finish(_ take: (Output) -> Bool) {
        if content == .undecided, !isWrapped {
            recognize(isComplete: true)
            if isWrapped { unwrapPrefix(take) }
        }
        if isWrapped { unwrap(nil, take) }
        framer?.finish()
        drain(take)
    }

    /// Yields the frame that waits for the bytes after it (``holdsFrame``), because no bytes have followed for a while.
    package mutating func releaseHeld(_ take: (Output) -> Bool) {
        framer?.releaseHeld()
        drain(take)
    }

    private mutating func recognize(isComplete: Bool) {
        content = prefix.withUnsafeBytes { recognizer.look(at: $0, isComplete: isComplete) }
        if case .wrapped(let wrapper) = content {
            // What comes out decides.
            (content, unwrapper) = (.undecided, Unwrapper(wrapper, wrapper.makeDemuxer()))
        }
        guard case .audio(let container) = content else { return }
        framer = container.makeFramer()
        prefix.withUnsafeBytes { framer?.append($0) }
        prefix = []
    }
}

// MARK: - Audio in a wrapper

extension PartFramer {
    private mutating func unwrapPrefix(_ take: (Output) -> Bool) {
        let bytes = prefix
        bytes.withUnsafeBytes { unwrap($0, take) }
    }

    /// Takes the audio out of bytes, or of their end (nil), frames it, and passes on what that yields.
    private mutating func unwrap(_ bytes: UnsafeRawBufferPointer?, _ take: (Output) -> Bool) {
        guard var unwrapper else { return }
        self.unwrapper = nil
        var continues = true
        func tell(_ output: Output) -> Bool {
            if continues { continues = take(output) }
            return continues
        }
        unwrapper.push(bytes) { output in
            switch output {
            case .container(let container):
                releaseHeld(tell)
                (content, framer, prefix) = (.audio(container), container.makeFramer(), [])
            case .audio(let bytes): framer?.append(bytes)
            case .title(let title):
                drain(tell)
                _ = tell(.part(.title(title, raw: Array(title.utf8))))
            case .lost:
                releaseHeld(tell)
                _ = tell(.part(.resync))
            case .failed(let name):
                if framer == nil { content = .unsupported(name) }
            case .left(let bytes): idle += bytes
            }
        }
        self.unwrapper = unwrapper
        drain(tell)
    }
}

// MARK: - Parts out

extension PartFramer {
    private mutating func drain(_ take: (Output) -> Bool) {
        var idle = idle
        framer?.drain(by: &run) { output in
            switch output {
            case .frames(let frames, let bytes):
                idle = Self.idle(after: frames, idle)
                return take(.frames(FrameBatch(frames), bytes))
            case .event(let event):
                if case .skipped(let count, let reason) = event, reason != .tag, reason != .attachment { idle += count }
                return Self.output(of: event).map(take) ?? true
            }
        }
        self.idle = idle
        // Until more bytes come, the memory is free for others, who then find it in the processor's cache.
        framer?.compact()
    }

    /// Frames without a duration, which Ogg packets may be, are no audio.
    private static func idle(after frames: [Frame], _ idle: Int) -> Int {
        var bytes = 0
        for frame in frames.reversed() {
            if frame.samples > 0 { return bytes }
            bytes += frame.range.count
        }
        return idle + bytes
    }

    private static func output(of event: FramerEvent) -> Output? {
        switch event {
        // The framer yields frames in runs, never as events.
        case .frame: return nil
        case .format(let format): return .part(.format(format))
        case .title(let title):
            // A tag or comment header in the audio may be far longer than any title.
            let title = title.cut(toBytes: TitleText.longest)
            return .part(.title(TitleText.repaired(title), raw: Array(title.utf8)))
        case .discontinuity: return .part(.resync)
        case .missing(let samples): return .part(.missing(samples: samples))
        case .wrongChecksum: return .wrongChecksum
        case .skipped(let bytes, let reason): return .skipped(bytes: bytes, reason)
        }
    }
}
