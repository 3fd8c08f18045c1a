// SPDX-License-Identifier: MIT

import RadioFormats

/// What comes out of a connection's bytes, in stream order.
protocol FramePathOutput: AnyObject {
    /// The kind of audio is known and this is its format; again at each change.
    func path(_ path: FramePath, began format: StreamFormat)
    /// One whole frame; the bytes are valid during the call only.
    func path(_ path: FramePath, _ frame: Frame, _ bytes: UnsafeRawBufferPointer)
    /// The next frame is the first that this title of a metadata block belongs to.
    func path(_ path: FramePath, rawTitle: [UInt8])
    /// The next frame is the first that this title from inside the audio belongs to.
    func path(_ path: FramePath, title: String)
    /// The next frame does not follow the one before it.
    func pathResynced(_ path: FramePath)
    /// The same, and audio is missing there: as many samples as the stream says; nil where it does not say how many.
    func path(_ path: FramePath, missing samples: Int64?)
    /// The next frame does not agree with its checksum.
    func pathMetWrongChecksum(_ path: FramePath)
    func path(_ path: FramePath, skipped bytes: Int, _ reason: SkipReason)
    /// What is to be thought of the frames from here on. Comes before the first of them.
    func path(_ path: FramePath, metadata verdict: MetadataWatch.Verdict)
    /// The bytes are no audio that can be framed; `prefix` is all that came so far.
    func path(_ path: FramePath, isNoAudio guess: ContentGuess, prefix: [UInt8])
}

/// The way of one connection's bytes: ICY demux → recognition → framer. Confined to the loop's thread.
///
/// Made anew for each connection, so nothing of an old one can leak into a new one. Knows no socket.
final class FramePath {
    weak var output: (any FramePathOutput)?
    private var demuxer: ICYDemuxer
    /// Whether there are metadata blocks: else nothing of what follows is looked at for a frame.
    private let hasMetadata: Bool
    private var watch: MetadataWatch?
    private var recognizer: StreamRecognizer
    private var framer: (any Framer)?
    private var isDead = false
    /// Bytes seen before the framer was chosen; dropped afterwards.
    private var prefix: [UInt8] = []
    /// The metadata block before the next one: servers leave the end of it behind a shorter one.
    private var lastBlock: [UInt8]?
    private var waiting = WaitingTitles()
    /// Audio bytes that have become frames, or nothing.
    private var framed: Int64 = 0

    init(interval: Int?, contentType: String?, url: String) {
        demuxer = ICYDemuxer(interval: interval)
        hasMetadata = demuxer.interval != nil
        watch = demuxer.interval.map(MetadataWatch.init)
        recognizer = StreamRecognizer(contentType: contentType, url: url)
    }

    /// Whether the bytes are audio of a known kind.
    private(set) var isRecognized = false

    /// Takes body bytes and tells the output what they hold.
    func push(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while !isDead, let event = demuxer.next(in: bytes, at: &offset) {
            switch event {
            case .audio(let range):
                let audio = UnsafeRawBufferPointer(rebasing: bytes[range])
                watch?.audio(audio, upTo: demuxer.audioBytes)
                pushAudio(audio)
            case .metadata(let block):
                take(block)
            }
        }
    }

    private func take(_ block: ICYBlock) {
        let metadata = ICYMetadata(block.bytes, after: lastBlock)
        lastBlock = block.bytes
        if let title = metadata.title { waiting.add(title, behind: block.audioOffset) }
        tell(watch?.block(metadata, behind: block.audioOffset))
    }

    /// The body is over: the last whole frame comes out, or what is left is counted as truncated.
    func finish() {
        guard !isDead else { return }
        if !isRecognized { recognize(isComplete: true) }
        tell(watch?.finish())
        framer?.finish()
        drain()
    }

    /// Whether a whole frame only waits for what follows it. One that may have metadata in it has to wait.
    var holdsFrame: Bool { framer?.holdsFrame == true && watch?.isOdd != true }

    /// Nothing has followed for a while: the frame that waits for what follows it goes on.
    func releaseHeld() {
        guard !isDead, holdsFrame else { return }
        framer?.releaseHeld()
        drain()
    }

    private func pushAudio(_ bytes: UnsafeRawBufferPointer) {
        if !isRecognized {
            prefix.append(contentsOf: bytes)
            recognize(isComplete: false)
        } else {
            framer?.append(bytes)
        }
        drain()
    }

    private func recognize(isComplete: Bool) {
        switch prefix.withUnsafeBytes({ recognizer.look(at: $0, isComplete: isComplete) }) {
        case .undecided:
            break
        case .audio(let container):
            framer = container.makeFramer()
            isRecognized = true
            prefix.withUnsafeBytes { framer?.append($0) }
            prefix = []
        case let other:
            isDead = true
            output?.path(self, isNoAudio: other, prefix: prefix)
        }
    }

    private func drain() {
        // Out of this object and held here: looking them up for each frame costs as much as framing it. Nothing that
        // is told leads back here.
        guard let output, var framer = framer.take() else { return }
        framer.drain { event, bytes in
            tell(event, bytes, output)
            return !isDead
        }
        self.framer = framer
    }

    private func tell(_ event: FramerEvent, _ bytes: UnsafeRawBufferPointer, _ output: any FramePathOutput) {
        switch event {
        case .frame(let frame):
            framed += Int64(bytes.count)
            if hasMetadata {
                tell(watch?.frame(at: frame.offset))
                if let title = waiting.title(ofFrameAt: frame.offset) { output.path(self, rawTitle: title) }
            }
            output.path(self, frame, bytes)
        case .format(let format):
            output.path(self, began: format)
        case .title(let title):
            output.path(self, title: title)
        case .discontinuity:
            output.pathResynced(self)
        case .missing(let samples):
            output.path(self, missing: samples)
        case .wrongChecksum:
            output.pathMetWrongChecksum(self)
        case .skipped(let bytes, let reason):
            framed += Int64(bytes)
            output.path(self, skipped: bytes, reason)
            if reason == .junk || reason == .damaged { tell(watch?.junk(upTo: framed)) }
        }
    }

    private func tell(_ verdict: MetadataWatch.Verdict?) {
        guard let verdict else { return }
        // What would come out now is not the programme.
        isDead = verdict == .slipped || verdict == .misread
        output?.path(self, metadata: verdict)
    }
}
