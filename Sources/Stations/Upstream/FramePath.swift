// SPDX-License-Identifier: MIT

import Platform
import RadioCore
import RadioFormats

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
    private var watch = MetadataWatch()
    /// Looks for metadata where there should be none.
    private var spotter: MetadataSpotter?
    private let charset: CharsetDecoder
    private let faults: StreamFaults
    /// Nil while it passes its output on.
    private var framer: PartFramer?
    private var framesAreWrapped = false
    private var ending: Ending?
    private var hasEnded = false
    /// The previous metadata block. After a block that is shorter than the previous block, servers leave the end of the
    /// previous block in place.
    private var lastBlock: [UInt8]?
    private var waiting = WaitingTitles()
    /// The number of damaged bytes since the last frame.
    private var damaged: Int64 = 0

    /// `interval` is the number of audio bytes between metadata blocks; nil if there are no blocks. If it is nil,
    /// `spotsMetadata` says whether to look for metadata nevertheless. `start`: see ``FileBegin/start``.
    init(
        interval: Int?, contentType: String?, url: String, charset: Charset? = nil, spotsMetadata: Bool = false,
        faults: StreamFaults = StreamFaults(), start: WrappedStart? = nil
    ) {
        demuxer = ICYDemuxer(interval: interval)
        hasMetadata = demuxer.interval != nil
        spotter = spotsMetadata && interval == nil ? MetadataSpotter() : nil
        self.charset = CharsetDecoder(configured: charset, convert: SystemCharsets.convert)
        self.faults = faults
        framer = start.map { PartFramer($0) } ?? PartFramer(contentType: contentType, name: url)
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
    func push(_ bytes: UnsafeRawBufferPointer, to taker: any StreamPartTaker) {
        if spotter?.spots(in: bytes) == true { end(.misread) }
        var offset = 0
        while continues, let event = demuxer.next(in: bytes, at: &offset) {
            switch event {
            case .audio(let range):
                let audio = UnsafeRawBufferPointer(rebasing: bytes[range])
                frame(taker) { $0.push(audio, $1) }
            case .metadata(let block):
                take(block)
            }
        }
    }

    /// Ends the body: emits the last whole frame, or counts the rest as truncated.
    func finish(to taker: any StreamPartTaker) {
        guard continues else { return }
        frame(taker) { $0.finish($1) }
    }

    /// Whether a whole frame waits only for the bytes after it.
    var holdsFrame: Bool { framer?.holdsFrame == true }

    /// Emits the frame that waits for the bytes after it, because no bytes have followed for a while.
    func releaseHeld(to taker: any StreamPartTaker) {
        guard holdsFrame else { return }
        frame(taker) { $0.releaseHeld($1) }
    }

    private func take(_ block: ICYBlock) {
        let metadata = ICYMetadata(block.bytes, after: lastBlock)
        lastBlock = block.bytes
        if let title = metadata.title {
            let url = metadata.url.flatMap { WebAddress.checked($0) }
            waiting.add(
                WaitingTitles.Title(raw: title, url: url, isAdvert: metadata.isAdvert), behind: block.audioOffset)
        }
        switch watch.judge(metadata) {
        case nil: break
        // Frames emitted from now on would not be part of the programme, so the path ends.
        case .slipped: end(.slipped)
        case .misread: end(.misread)
        }
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
        _ taker: any StreamPartTaker, _ work: (inout PartFramer, (PartFramer.Output) -> Bool) -> Void
    ) {
        guard continues, var framer = framer.take() else { return }
        framesAreWrapped = framer.isWrapped
        work(&framer) { output in
            tell(output, taker)
            return continues
        }
        self.framer = framer
        guard !framer.isRecognized, framer.content != .undecided else { return }
        end(.noAudio(framer.content, prefix: framer.prefix))
    }

    private func tell(_ output: PartFramer.Output, _ taker: any StreamPartTaker) {
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
            spotter?.lookAgain()
            faults.skip(bytes, reason)
            guard reason == .junk || reason == .damaged else { break }
            damaged += Int64(bytes)
        }
    }

    private func tell(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer, _ taker: any StreamPartTaker) {
        damaged = 0
        guard hasMetadata else { return taker.take(batch, bytes) }
        var told = 0
        for index in 0..<batch.count {
            // Offsets in a wrapper's audio are not those in the body: there, titles come a little too early.
            let place = framesAreWrapped ? .max : batch[index].offset
            guard let title = waiting.title(ofFrameAt: place) else { continue }
            tell(batch, told..<index, bytes, taker)
            told = index
            guard continues else { return }
            tell(title, taker)
        }
        tell(batch, told..<batch.count, bytes, taker)
    }

    private func tell(
        _ batch: FrameBatch, _ part: Range<Int>, _ bytes: UnsafeRawBufferPointer, _ taker: any StreamPartTaker
    ) {
        guard !part.isEmpty else { return }
        taker.take(batch[part], UnsafeRawBufferPointer(rebasing: bytes[batch.range(of: part)]))
    }

    private func tell(_ title: WaitingTitles.Title, _ taker: any StreamPartTaker) {
        let text = charset.title(title.raw)
        taker.take(.title(title.isAdvert ? TitleText.advert(text) : text, raw: title.raw, url: title.url))
    }

    /// Counts the damaged bytes before a discontinuity, if there are any. No discontinuity is reported before the first
    /// frame, so bytes before that frame are not counted.
    private func noteDamage() {
        if damaged > 0 { faults.damage(damaged) }
        damaged = 0
    }
}
