// SPDX-License-Identifier: MIT

import Platform
import RadioCore
import RadioFormats

/// Receives a connection's stream parts.
protocol ConnectionTaker: StreamPartTaker {
    /// Reports whether the parts from here on are in doubt: frames may be incomplete or not consecutive. They must be
    /// held until the doubt is cleared. If the connection ends before that, in any way, they count as never received.
    func doubt(_ isDoubtful: Bool)
}

/// Turns one connection's bytes into stream parts: ICY demux → recognition → framer. Confined to the loop's thread.
///
/// Created anew for each connection, so that nothing leaks from an old connection into a new one. It does not deal with
/// sockets.
final class FramePath {
    /// Why no more parts will come.
    enum Ending {
        /// The bytes are not audio that can be framed; `prefix` is everything received so far.
        case noAudio(ContentGuess, prefix: [UInt8])
        /// See ``MetadataWatch/Verdict``.
        case slipped, misread
    }

    /// Whether the bytes have been recognised as audio.
    private(set) var isRecognized = false
    /// Set while the connection is closed. The taker may close it during a call, and then wants no more parts.
    var isClosed = false

    private var demuxer: ICYDemuxer
    /// Whether the stream has metadata blocks. If not, frames need no checks for them.
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
    /// Bytes received before the framer was chosen; empty afterwards.
    private var prefix: [UInt8] = []
    /// The previous metadata block. After a block that is shorter than the previous block, servers leave the end of the
    /// previous block in place.
    private var lastBlock: [UInt8]?
    private var waiting = WaitingTitles()
    /// The number of audio bytes that the framer has passed or skipped.
    private var framed: Int64 = 0
    /// The number of damaged bytes since the last frame.
    private var damaged: Int64 = 0

    /// `interval` is the number of audio bytes between metadata blocks; nil if there are no blocks. If it is nil,
    /// `spotsMetadata` says whether to look for metadata nevertheless.
    init(
        interval: Int?, contentType: String?, url: String, charset: Charset? = nil, spotsMetadata: Bool = false,
        faults: StreamFaults = StreamFaults()
    ) {
        demuxer = ICYDemuxer(interval: interval)
        hasMetadata = demuxer.interval != nil
        watch = demuxer.interval.map(MetadataWatch.init)
        spotter = spotsMetadata && interval == nil ? MetadataSpotter() : nil
        self.charset = CharsetDecoder(configured: charset, convert: SystemCharsets.convert)
        self.faults = faults
        recognizer = StreamRecognizer(contentType: contentType, url: url)
    }

    /// The info frame before the file's first frame; nil if there is none.
    var infoFrame: MPEGInfoFrame? { framer?.infoFrame }

    /// Returns once why no more parts will come; nil before and afterwards.
    func takeEnding() -> Ending? { ending.take() }
}

// MARK: - Bytes in

extension FramePath {
    /// Processes bytes of the body.
    func push(_ bytes: UnsafeRawBufferPointer, to taker: any ConnectionTaker) {
        if spotter?.spots(in: bytes) == true { end(.misread) }
        var offset = 0
        while continues, let event = demuxer.next(in: bytes, at: &offset) {
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

    /// Ends the body: emits the last whole frame, or counts the rest as truncated.
    func finish(to taker: any ConnectionTaker) {
        guard continues else { return }
        if !isRecognized { recognize(isComplete: true) }
        judge(watch?.finish(), taker)
        framer?.finish()
        drain(taker)
    }

    /// Whether a whole frame waits only for the bytes after it. False for a frame that may contain metadata, because
    /// such a frame has to wait in any case.
    var holdsFrame: Bool { framer?.holdsFrame == true && watch?.isOdd != true }

    /// Emits the frame that waits for the bytes after it, because no bytes have followed for a while.
    func releaseHeld(to taker: any ConnectionTaker) {
        guard continues, holdsFrame else { return }
        framer?.releaseHeld()
        drain(taker)
    }

    private func take(_ block: ICYBlock, _ taker: any ConnectionTaker) {
        let metadata = ICYMetadata(block.bytes, after: lastBlock)
        lastBlock = block.bytes
        if let title = metadata.title {
            let url = metadata.url.flatMap { WebAddress.checked($0) }
            waiting.add(
                WaitingTitles.Title(raw: title, url: url, isAdvert: metadata.isAdvert), behind: block.audioOffset)
        }
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
    private var continues: Bool { !hasEnded && !isClosed }

    private func end(_ ending: Ending) {
        (self.ending, hasEnded) = (ending, true)
    }

    private func drain(_ taker: any ConnectionTaker) {
        // Moved out of this object for the loop: accessing it for each frame costs as much as framing. No callback
        // needs it meanwhile.
        guard var framer = framer.take() else { return }
        var room: [Frame] = []
        swap(&room, &self.room)
        framer.drain(by: &room) { output in
            switch output {
            case .frames(let frames, let bytes): tell(frames, bytes, taker)
            case .event(let event): tell(event, taker)
            }
            return continues
        }
        // Until more bytes come, the memory is free for the next station, which then finds it in the processor's cache.
        if continues { framer.compact() }
        (self.framer, self.room) = (framer, room)
    }

    private func tell(_ frames: [Frame], _ bytes: UnsafeRawBufferPointer, _ taker: any ConnectionTaker) {
        framed += Int64(bytes.count)
        damaged = 0
        var told = 0
        if hasMetadata {
            for (index, frame) in frames.enumerated() {
                let verdict = watch?.frame(at: frame.offset)
                let title = waiting.title(ofFrameAt: frame.offset)
                guard verdict != nil || title != nil else { continue }
                tell(frames, told..<index, bytes, taker)
                told = index
                judge(verdict, taker)
                guard continues else { return }
                if let title { tell(title, taker) }
            }
        }
        tell(frames, told..<frames.count, bytes, taker)
    }

    private func tell(_ title: WaitingTitles.Title, _ taker: any ConnectionTaker) {
        let text = charset.title(title.raw)
        taker.take(.title(title.isAdvert ? TitleText.advert(text) : text, raw: title.raw, url: title.url))
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
        // The framer emits frames in runs, never as events.
        case .frame: break
        case .format(let format):
            taker.take(.format(format))
        case .title(let title):
            // A tag or comment header in the audio may be far longer than any title.
            let title = title.cut(toBytes: TitleText.longest)
            taker.take(.title(TitleText.repaired(title), raw: Array(title.utf8)))
        case .discontinuity:
            noteDamage()
            taker.take(.resync)
        case .missing(let samples):
            noteDamage()
            taker.take(.missing(samples: samples))
        case .wrongChecksum:
            faults.wrongChecksums += 1
        case .skipped(let bytes, let reason):
            framed += Int64(bytes)
            spotter?.lookAgain()
            faults.skip(bytes, reason)
            guard reason == .junk || reason == .damaged else { break }
            damaged += Int64(bytes)
            judge(watch?.junk(upTo: framed), taker)
        }
    }

    /// Counts the damaged bytes before a discontinuity, if there are any. No discontinuity is reported before the first
    /// frame, so bytes before that frame are not counted.
    private func noteDamage() {
        if damaged > 0 { faults.damage(damaged) }
        damaged = 0
    }

    /// Applies a verdict on the frames from here on, before the first of them is emitted.
    private func judge(_ verdict: MetadataWatch.Verdict?, _ taker: any ConnectionTaker) {
        switch verdict {
        case nil: break
        case .doubtful: taker.doubt(true)
        case .sound: taker.doubt(false)
        // Frames emitted from now on would not be part of the programme, so the path ends.
        case .slipped: end(.slipped)
        case .misread: end(.misread)
        }
    }
}
