// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Turns the bytes of one item into frames with the parts before them. A value.
///
/// The item begins with its first frame: nothing is missing before it, and it has a title if any is known. What the
/// item states after its last frame is dropped.
struct ItemParts {
    private var framer: PartFramer
    private var state: State

    fileprivate struct State {
        /// The title for want of another one, and the first title that the item stated.
        let title: String?
        var firstTitle: String?
        /// The title of the next frame, if it is another one than that of the frame before.
        var nextTitle: String?
        var format: StreamFormat?
        /// What else applies to the next frame.
        var ahead = StreamParts()
        var hasFrames = false
        /// The size of the attachments so far, such as covers; nil once taken.
        var attachments: Int64? = 0

        init(title: String?) { (self.title, nextTitle) = (title, title) }
    }

    /// `title`: the item's title if it states none itself.
    init(_ framer: PartFramer, title: String?) {
        self.framer = framer
        state = State(title: title)
    }

    /// The format of the latest frames, or of the frames to come.
    var format: StreamFormat? { state.format }
    var hasFrames: Bool { state.hasFrames }
    /// See ``PartFramer/lacksAudio``.
    var lacksAudio: Bool { framer.lacksAudio }
    /// See ``PartFramer/content``.
    var content: ContentGuess { framer.content }
    /// Whether no byte has come.
    var isEmpty: Bool { framer.prefix.isEmpty && !framer.isRecognized }

    /// The size of the attachments so far, once, if there were any and frames have followed. They are left out.
    mutating func takeAttachments() -> Int64? {
        guard hasFrames, let bytes = state.attachments, bytes > 0 else { return nil }
        state.attachments = nil
        return bytes
    }

    mutating func push(_ bytes: UnsafeRawBufferPointer) -> StreamParts { frame { $0.push(bytes, $1) } }

    mutating func finish() -> StreamParts { frame { $0.finish($1) } }

    /// Begins the item with the frames that follow: those before were only read for the title and the format.
    mutating func restart(_ container: Container) {
        // The framers of Ogg and FLAC must have read the headers before they can read frames.
        let keepsFramer = container == .ogg || container == .flac
        if !keepsFramer { framer = PartFramer(container) }
        let old = state
        state = State(title: old.firstTitle ?? old.title)
        state.attachments = old.attachments
        guard keepsFramer, let format = old.format else { return }
        state.format = format
        state.ahead.append(.format(format))
    }

    private mutating func frame(
        _ work: (inout PartFramer, (PartFramer.Output) -> Bool) -> Void
    ) -> StreamParts {
        var (parts, state) = (StreamParts(), state)
        work(&framer) { output in
            state.take(output, &parts)
            return true
        }
        self.state = state
        return parts
    }
}

extension ItemParts.State {
    mutating func take(_ output: PartFramer.Output, _ parts: inout StreamParts) {
        switch output {
        case .frames(let batch, let bytes):
            hasFrames = true
            parts.append(ahead)
            ahead = StreamParts()
            if let title = nextTitle.take() { parts.append(.title(title)) }
            parts.append(batch, bytes)
        case .part(.format(let found)):
            guard found != format else { return }
            format = found
            ahead.append(.format(found))
        case .part(.title(let text, _, _)):
            guard let text = text.isEmpty ? title : text else { return }
            firstTitle = firstTitle ?? text
            nextTitle = text
        case .part(.resync), .part(.missing):
            if hasFrames { ahead.append(.resync) }
        case .skipped(let bytes, .attachment): attachments? += Int64(bytes)
        case .skipped, .wrongChecksum: break
        }
    }
}
