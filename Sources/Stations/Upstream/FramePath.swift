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

/// Turns one connection's bytes into stream parts: takes ICY metadata out of them, frames the rest (``PartFramer``),
/// and puts each title in front of its frame.
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
    /// Nil while it passes its output on.
    private var framer: PartFramer?
    private var ending: Ending?
    private var hasEnded = false
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
        framer = PartFramer(contentType: contentType, name: url)
    }

    /// Whether the bytes have been recognised as audio: only then is there any output.
    var isRecognized: Bool { framer?.isRecognized ?? true }

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
                frame(taker) { $0.push(audio, $1) }
            case .metadata(let block):
                take(block, taker)
            }
        }
    }

    /// Ends the body: emits the last whole frame, or counts the rest as truncated.
    func finish(to taker: any ConnectionTaker) {
        guard continues else { return }
        judge(watch?.finish(), taker)
        frame(taker) { $0.finish($1) }
    }

    /// Whether a whole frame waits only for the bytes after it. False for a frame that may contain metadata, because
    /// such a frame has to wait in any case.
    var holdsFrame: Bool { framer?.holdsFrame == true && watch?.isOdd != true }

    /// Emits the frame that waits for the bytes after it, because no bytes have followed for a while.
    func releaseHeld(to taker: any ConnectionTaker) {
        guard holdsFrame else { return }
        frame(taker) { $0.releaseHeld($1) }
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
}

// MARK: - Parts out

extension FramePath {
    private var continues: Bool { !hasEnded && !isClosed }

    private func end(_ ending: Ending) {
        (self.ending, hasEnded) = (ending, true)
    }

    /// Runs `work` on the framer, and passes on what it yields. The taker may call back into this object meanwhile.
    private func frame(
        _ taker: any ConnectionTaker, _ work: (inout PartFramer, (PartFramer.Output) -> Bool) -> Void
    ) {
        guard continues, var framer = framer.take() else { return }
        work(&framer) { output in
            tell(output, taker)
            return continues
        }
        self.framer = framer
        guard !framer.isRecognized, framer.content != .undecided else { return }
        end(.noAudio(framer.content, prefix: framer.prefix))
    }

    private func tell(_ output: PartFramer.Output, _ taker: any ConnectionTaker) {
        switch output {
        case .frames(let batch, let bytes):
            tell(batch, bytes, taker)
        case .part(let part):
            switch part {
            case .resync, .missing: noteDamage()
            case .format, .title: break
            }
            taker.take(part)
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

    private func tell(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer, _ taker: any ConnectionTaker) {
        framed += Int64(bytes.count)
        damaged = 0
        guard hasMetadata else { return taker.take(batch, bytes) }
        var told = 0
        for index in 0..<batch.count {
            let offset = batch[index].offset
            let verdict = watch?.frame(at: offset)
            let title = waiting.title(ofFrameAt: offset)
            guard verdict != nil || title != nil else { continue }
            tell(batch, told..<index, bytes, taker)
            told = index
            judge(verdict, taker)
            guard continues else { return }
            if let title { tell(title, taker) }
        }
        tell(batch, told..<batch.count, bytes, taker)
    }

    private func tell(
        _ batch: FrameBatch, _ part: Range<Int>, _ bytes: UnsafeRawBufferPointer, _ taker: any ConnectionTaker
    ) {
        guard !part.isEmpty else { return }
        taker.take(batch[part], UnsafeRawBufferPointer(rebasing: bytes[batch.range(of: part)]))
    }

    private func tell(_ title: WaitingTitles.Title, _ taker: any ConnectionTaker) {
        let text = charset.title(title.raw)
        taker.take(.title(title.isAdvert ? TitleText.advert(text) : text, raw: title.raw, url: title.url))
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
