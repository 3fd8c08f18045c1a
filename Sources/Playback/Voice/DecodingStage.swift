// SPDX-License-Identifier: MIT

import Decoding
import RadioCore
import RadioFormats

/// Decodes frames from the pipe onto the tape, without the PCM of pre-roll and padding. Confined to the sound thread.
final class DecodingStage {
    enum Step {
        /// The stage made progress, and may make more at the next step.
        case more
        /// No progress: the pipe is empty, or the decoder is not ready.
        case dry
        /// The PCM that follows needs a tape of this kind.
        case newTape(TapeKind)
        /// All frames have been decoded, and no more follow.
        case ended
        /// The frames of a source cannot be decoded.
        case failed(DecodingError, source: Int)
    }

    /// Makes a decoder for a run.
    typealias Maker = (StreamFormat) throws(DecodingError) -> any Decoding

    private(set) var damagedFrames = 0
    /// Counts the attempts to take a record from the pipe, including failed attempts.
    private(set) var taken = 0
    private let pipe: FramePipe
    private let makeDecoder: Maker
    private var batch = PipeBatch()
    private var decoder: (any Decoding)?
    private var run: PipeRun?
    /// Frames put into the decoder whose PCM has not all come out.
    private var unplaced: [PipeBatch.Record] = []
    /// A block that needs another kind of tape. It lies in the decoder's memory until the decoder's next
    /// call.
    private var held: PCMBlock?
    /// Whether the input of the decoder was ended.
    private var isFinishing = false
    private var hasEnded = false
    /// Whether the source being decoded has given PCM, and how many of its frames were damaged.
    private var hasSound = false
    private var damagedOfSource = 0
    /// Cues whose audio has not come out of the decoder yet.
    private var cues: [Int64] = []

    /// The limit for the frames and cues that are remembered, for a decoder that takes frames and gives no PCM.
    private static let mostUnplaced = 512

    init(_ pipe: FramePipe, _ makeDecoder: @escaping Maker) {
        self.pipe = pipe
        self.makeDecoder = makeDecoder
    }

    /// Readable when the decoder may have more PCM. Nil unless it runs in a process of its own.
    var descriptor: CInt? { decoder?.descriptor }

    /// The id of the source whose frames are being decoded; 0 before the first run.
    var source: Int { run?.source ?? 0 }

    /// The pipe's generation as of the last restart that was taken.
    var generation: Int { batch.generation }

    /// Drops everything taken from the pipe if the pipe has been restarted since. Returns whether it has been
    /// restarted.
    func takeRestart() -> Bool {
        guard pipe.takeRestart(&batch) else { return false }
        unplaced.removeAll(keepingCapacity: true)
        cues.removeAll()
        (decoder, run, held, hasEnded, isFinishing) = (nil, nil, nil, false, false)
        (hasSound, damagedOfSource) = (false, 0)
        return true
    }

    /// Takes one step. Without a tape, PCM is not appended, but a tape for it is requested.
    func advance(_ tape: Tape?) -> Step {
        do throws(DecodingError) {
            if let held {
                guard tape?.kind == kind(of: held) else { return .newTape(kind(of: held)) }
                self.held = nil
                append(held, to: tape)
                return .more
            }
            if let block = try nextBlock() {
                guard tape?.kind == kind(of: block) else {
                    held = block
                    return .newTape(kind(of: block))
                }
                append(block, to: tape)
                return .more
            }
            return try takeRecord(tape)
        } catch .damagedFrame {
            damagedFrames += 1
            damagedOfSource += 1
            return .more
        } catch {
            // The error is reported only once, because frames up to the next run are skipped.
            (decoder, held, isFinishing, damagedOfSource) = (nil, nil, false, 0)
            return .failed(error, source: source)
        }
    }

    private func kind(of block: PCMBlock) -> TapeKind {
        TapeKind(format: block.format, followsClock: run?.followsClock ?? false)
    }

    private func nextBlock() throws(DecodingError) -> PCMBlock? {
        guard let decoder else { return nil }
        return try decoder.next()
    }

    /// Appends the part of a block between the first and the last sample of the run.
    private func append(_ block: PCMBlock, to tape: Tape?) {
        guard let run else { return }
        hasSound = true
        let streamRate = Int64(max(1, run.format.sampleRate))
        let rate = Int64(block.format.sampleRate)
        let count = Int64(block.count)
        func samples(to place: Int64) -> Int64 {
            let (distance, overflow) = place.subtractingReportingOverflow(block.instant)
            guard !overflow else { return place < block.instant ? 0 : count }
            guard abs(distance) < 1 << 40 else { return distance < 0 ? 0 : count }
            return max(0, min(count, distance * rate / streamRate))
        }
        let first = samples(to: run.first)
        let last = run.last.map(samples) ?? count
        guard first < last else { return }
        let channels = block.format.channels
        putCues(on: tape)
        tape?.append(UnsafeBufferPointer(rebasing: block.values[(Int(first) * channels)..<(Int(last) * channels)]))
        place(upTo: block.instant.addingSaturated(count * streamRate / rate), on: tape)
    }

    private func putCues(on tape: Tape?) {
        for cue in cues { tape?.cue(cue) }
        cues.removeAll(keepingCapacity: true)
    }

    /// Tells the tape which frames its samples belong to. A frame ends where the next frame begins.
    private func place(upTo instant: Int64, on tape: Tape?) {
        var count = 0
        while count + 1 < unplaced.count, unplaced[count + 1].instant <= instant {
            tape?.place(frame: unplaced[count].number, upTo: unplaced[count].end)
            count += 1
        }
        unplaced.removeFirst(count)
    }

    private func placeAll(on tape: Tape?) {
        for record in unplaced { tape?.place(frame: record.number, upTo: record.end) }
        unplaced.removeAll(keepingCapacity: true)
    }

    private func takeRecord(_ tape: Tape?) throws(DecodingError) -> Step {
        if batch.isEmpty {
            guard !hasEnded else { return endedStep(tape) }
            batch.clear()
            pipe.exchange(&batch)
            guard !batch.isEmpty else { return .dry }
        }
        let record = batch.records[batch.nextRecord]
        taken += 1
        switch record.kind {
        case .run:
            // PCM that the last run's decoder still holds comes first.
            guard finishDecoder() else { return .dry }
            placeAll(on: tape)
            let run = batch.runs[batch.nextRun]
            if run.source != source { try endSource() }
            batch.nextRecord += 1
            batch.nextRun += 1
            if !run.follows { tape?.breakHere() }
            self.run = run
            (decoder, isFinishing) = (nil, false)
            decoder = try makeDecoder(run.format)
        case .frame:
            guard try put(record) else { return .dry }
            if unplaced.count < Self.mostUnplaced { unplaced.append(record) }
        case .limit:
            batch.nextRecord += 1
            let last = run?.last ?? .max
            run?.last = min(last, record.instant)
        case .cue:
            batch.nextRecord += 1
            if cues.count >= Self.mostUnplaced { cues.removeFirst() }
            cues.append(record.number)
        case .end:
            guard finishDecoder() else { return .dry }
            try endSource()
            batch.nextRecord += 1
            hasEnded = true
        }
        return .more
    }

    /// Ends the source being decoded. Throws once if all its frames were damaged.
    private func endSource() throws(DecodingError) {
        defer { (hasSound, damagedOfSource) = (false, 0) }
        if !hasSound, damagedOfSource > 0 { throw .failed("no frame is decodable") }
    }

    /// Puts a frame into the decoder. Returns false if the decoder cannot take the frame now. Throws on a damaged
    /// frame, which counts as taken.
    private func put(_ record: PipeBatch.Record) throws(DecodingError) -> Bool {
        let range = batch.nextByte..<(batch.nextByte + record.length)
        var result = Result<Bool, DecodingError>.success(true)
        batch.bytes.withUnsafeBytes { bytes in
            let frame = UnsafeRawBufferPointer(rebasing: bytes[range])
            do throws(DecodingError) {
                result = .success(try decoder?.put(frame, at: record.instant) ?? true)
            } catch {
                result = .failure(error)
            }
        }
        if case .success(false) = result { return false }
        batch.nextRecord += 1
        batch.nextByte += record.length
        return try result.get()
    }

    /// Flushes the decoder. Returns whether all its PCM has come out.
    private func finishDecoder() -> Bool {
        guard let decoder else { return true }
        if !isFinishing {
            isFinishing = true
            decoder.finish()
        }
        return decoder.isFinished
    }

    private func endedStep(_ tape: Tape?) -> Step {
        placeAll(on: tape)
        putCues(on: tape)
        tape?.close()
        return .ended
    }
}
