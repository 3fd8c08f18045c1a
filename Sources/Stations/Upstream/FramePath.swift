// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Where what a connection brings goes.
protocol ConnectionTaker: StreamPartTaker {
    /// Whether the parts from here on are in doubt: frames may not be whole, or may not follow the ones before. They
    /// must not go on until they are known to be right; where the connection ends before that, in any way, they count
    /// as never received.
    func doubt(_ isDoubtful: Bool)
}

/// The way of one connection's bytes to the parts of its stream: ICY demux → recognition → framer. Confined to the
/// loop's thread.
///
/// Made anew for each connection, so nothing of an old one can leak into a new one. Knows no socket.
final class FramePath {
    /// Why nothing more comes out.
    enum Ending {
        /// The bytes are no audio that can be framed; `prefix` is all that came so far.
        case noAudio(ContentGuess, prefix: [UInt8])
        /// See ``MetadataWatch/Verdict``.
        case slipped, misread
    }

    /// Whether the bytes are audio of a known kind.
    private(set) var isRecognized = false
    /// Set while the connection is closed: whoever takes the parts may close it, and then wants no more of them.
    var isClosed = false

    private var demuxer: ICYDemuxer
    /// Whether there are metadata blocks: else nothing of what follows is looked at for a frame.
    private let hasMetadata: Bool
    private var watch: MetadataWatch?
    /// Looks for metadata where there should be none.
    private var spotter: MetadataSpotter?
    private let charset: CharsetDecoder
    private let faults: StreamFaults
    private var recognizer: StreamRecognizer
    private var framer: (any Framer)?
    private var room: [Frame] = []
    private var ending: Ending?
    private var hasEnded = false
    /// Bytes seen before the framer was chosen; dropped afterwards.
    private var prefix: [UInt8] = []
    /// The metadata block before the next one: servers leave the end of it behind a shorter one.
    private var lastBlock: [UInt8]?
    private var waiting = WaitingTitles()
    /// Audio bytes that have become frames, or nothing.
    private var framed: Int64 = 0

    /// `interval`: bytes of audio between metadata blocks; nil where there are none, and then `spotsMetadata` says
    /// whether to look for some all the same.
    init(
        interval: Int?, contentType: String?, url: String, charset: Charset? = nil, spotsMetadata: Bool = false,
        faults: StreamFaults = StreamFaults()
    ) {
        demuxer = ICYDemuxer(interval: interval)
        hasMetadata = demuxer.interval != nil
        watch = demuxer.interval.map(MetadataWatch.init)
        spotter = spotsMetadata && interval == nil ? MetadataSpotter() : nil
        self.charset = CharsetDecoder(configured: charset)
        self.faults = faults
        recognizer = StreamRecognizer(contentType: contentType, url: url)
    }

    /// What the file says of itself in front of its first frame; nil where it does not.
    var infoFrame: MPEGInfoFrame? { framer?.infoFrame }

    /// Hands out the ending once.
    func takeEnding() -> Ending? { ending.take() }
}

// MARK: - Bytes in

extension FramePath {
    /// Takes bytes of the body.
    func push(_ bytes: UnsafeRawBufferPointer, to taker: any ConnectionTaker) {
        if spotter?.spots(in: bytes) == true { end(.misread) }
        var offset = 0
        while goesOn, let event = demuxer.next(in: bytes, at: &offset) {
            switch event {
            case .audio(let range):
                let audio = UnsafeRawBufferPointer(rebasing: bytes[range])
                watch?.audio(audio, upTo: demuxer.audioBytes)
                pushAudio(audio, taker)
            case .metadata(let block):
                take(block, taker)
            }
        }
    }

    /// The body is over: the last whole frame comes out, or what is left is counted as truncated.
    func finish(to taker: any ConnectionTaker) {
        guard goesOn else { return }
        if !isRecognized { recognize(isComplete: true) }
        judge(watch?.finish(), taker)
        framer?.finish()
        drain(taker)
    }

    /// Whether a whole frame only waits for what follows it. One that may have metadata in it has to wait.
    var holdsFrame: Bool { framer?.holdsFrame == true && watch?.isOdd != true }

    /// Nothing has followed for a while: the frame that waits for what follows it goes on.
    func releaseHeld(to taker: any ConnectionTaker) {
        guard goesOn, holdsFrame else { return }
        framer?.releaseHeld()
        drain(taker)
    }

    private func take(_ block: ICYBlock, _ taker: any ConnectionTaker) {
        let metadata = ICYMetadata(block.bytes, after: lastBlock)
        lastBlock = block.bytes
        if let title = metadata.title { waiting.add(title, behind: block.audioOffset) }
        judge(watch?.block(metadata, behind: block.audioOffset), taker)
    }

    private func pushAudio(_ bytes: UnsafeRawBufferPointer, _ taker: any ConnectionTaker) {
        if !isRecognized {
            prefix.append(contentsOf: bytes)
            recognize(isComplete: false)
        } else {
            framer?.append(bytes)
        }
        drain(taker)
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
            end(.noAudio(other, prefix: prefix))
        }
    }
}

// MARK: - Parts out

extension FramePath {
    private var goesOn: Bool { !hasEnded && !isClosed }

    private func end(_ ending: Ending) {
        (self.ending, hasEnded) = (ending, true)
    }

    private func drain(_ taker: any ConnectionTaker) {
        // Out of this object and held here: looking it up for each frame costs as much as framing it. Nothing that is
        // told leads back here.
        guard var framer = framer.take() else { return }
        var room: [Frame] = []
        swap(&room, &self.room)
        framer.drain(by: &room) { output in
            switch output {
            case .frames(let frames, let bytes): tell(frames, bytes, taker)
            case .event(let event): tell(event, taker)
            }
            return goesOn
        }
        (self.framer, self.room) = (framer, room)
    }

    private func tell(_ frames: [Frame], _ bytes: UnsafeRawBufferPointer, _ taker: any ConnectionTaker) {
        framed += Int64(bytes.count)
        var told = 0
        if hasMetadata {
            for (index, frame) in frames.enumerated() {
                let verdict = watch?.frame(at: frame.offset)
                let title = waiting.title(ofFrameAt: frame.offset)
                guard verdict != nil || title != nil else { continue }
                tell(frames, told..<index, bytes, taker)
                told = index
                judge(verdict, taker)
                guard goesOn else { return }
                if let title { taker.take(.title(charset.title(title), raw: title)) }
            }
        }
        tell(frames, told..<frames.count, bytes, taker)
    }

    private func tell(
        _ frames: [Frame], _ part: Range<Int>, _ bytes: UnsafeRawBufferPointer, _ taker: any ConnectionTaker
    ) {
        guard !part.isEmpty else { return }
        let start = frames[part.lowerBound].range.lowerBound - frames[0].range.lowerBound
        let batch = FrameBatch(frames[part])
        taker.take(batch, UnsafeRawBufferPointer(rebasing: bytes[start..<start + batch.byteCount]))
    }

    private func tell(_ event: FramerEvent, _ taker: any ConnectionTaker) {
        switch event {
        // The framer hands out frames in runs, never as events.
        case .frame: break
        case .format(let format):
            taker.take(.format(format))
        case .title(let title):
            // A tag or a comment header in the audio may be far longer than any title.
            let title = title.cut(toBytes: TitleText.longest)
            taker.take(.title(TitleText.cleaned(title), raw: Array(title.utf8)))
        case .discontinuity:
            taker.take(.resync)
        case .missing(let samples):
            taker.take(.missing(samples: samples))
        case .wrongChecksum:
            faults.wrongChecksums += 1
        case .skipped(let bytes, let reason):
            framed += Int64(bytes)
            spotter?.lookAgain()
            faults.skip(bytes, reason)
            if reason == .junk || reason == .damaged { judge(watch?.junk(upTo: framed), taker) }
        }
    }

    /// What is to be thought of the frames from here on. Comes before the first of them.
    private func judge(_ verdict: MetadataWatch.Verdict?, _ taker: any ConnectionTaker) {
        switch verdict {
        case nil: break
        case .doubtful: taker.doubt(true)
        case .sound: taker.doubt(false)
        // What would come out now is not the programme.
        case .slipped: end(.slipped)
        case .misread: end(.misread)
        }
    }
}
