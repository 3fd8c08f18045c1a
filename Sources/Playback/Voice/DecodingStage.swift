// SPDX-License-Identifier: MIT

import Decoding
import Instants
import RadioCore
import RadioFormats

/// From the pipe to the tape: takes records, has frames decoded, and appends what is to be heard. Confined to the sound
/// thread.
final class DecodingStage {
    enum Step {
        /// There is more on the tape, or there may be at the next step.
        case more
        /// Nothing is at hand: frames have not come, or the decoder is not ready.
        case dry
        /// The next PCM has this format, and needs a tape of its own.
        case newFormat(PCMFormat)
        /// Everything has been decoded, and nothing follows.
        case ended
        /// The frames of a source cannot be decoded.
        case failed(DecodingError, source: Int)
    }

    /// Makes a decoder for a run.
    typealias Maker = (StreamFormat) throws(DecodingError) -> any Decoding

    private(set) var damagedFrames = 0
    /// Counts the records that were taken from the pipe.
    private(set) var taken = 0
    private let pipe: FramePipe
    private let makeDecoder: Maker
    private var batch = PipeBatch()
    private var decoder: (any Decoding)?
    private var run: Run?
    /// Frames that were put, and whose PCM has not all come out.
    private var unplaced: [PipeBatch.Record] = []
    /// A block of another format than the tape's. It lies in the decoder's memory until the decoder's next call.
    private var held: PCMBlock?
    /// Whether no more frames come for this decoder.
    private var isFinishing = false
    private var hasEnded = false
    /// Marks whose audio has not come out of the decoder yet.
    private var marks: [Int64] = []

    /// A decoder that takes frames and gives nothing has at most so many of them remembered, and of their marks.
    private static let mostUnplaced = 512

    init(_ pipe: FramePipe, _ makeDecoder: @escaping Maker) {
        self.pipe = pipe
        self.makeDecoder = makeDecoder
    }

    /// Readable when there is more to take from the decoder: it may be another process, which answers when it answers.
    var descriptor: CInt? { decoder?.descriptor }

    /// The source of the frames that are decoded, by its id.
    var source: Int { run?.source ?? 0 }

    /// Counts the restarts of the pipe that were noticed.
    var generation: Int { batch.generation }

    /// Whether the pipe was restarted; what was taken of it before is dropped.
    func takeRestart() -> Bool {
        guard pipe.generation != batch.generation else { return false }
        batch.clear()
        pipe.exchange(&batch)
        unplaced.removeAll(keepingCapacity: true)
        marks.removeAll()
        (decoder, run, held, hasEnded, isFinishing) = (nil, nil, nil, false, false)
        return true
    }

    /// Does a little of the work; `tape` is nil where there has been no PCM yet.
    func advance(_ tape: Tape?) -> Step {
        do throws(DecodingError) {
            if let held {
                guard tape?.format == held.format else { return .newFormat(held.format) }
                self.held = nil
                append(held, to: tape)
                return .more
            }
            if let block = try nextBlock() {
                guard tape?.format == block.format else {
                    held = block
                    return .newFormat(block.format)
                }
                append(block, to: tape)
                return .more
            }
            return try takeRecord(tape)
        } catch .damagedFrame {
            damagedFrames += 1
            return .more
        } catch {
            // It is said once; frames up to the next run are passed over.
            (decoder, held, isFinishing) = (nil, nil, false)
            return .failed(error, source: source)
        }
    }

    private func nextBlock() throws(DecodingError) -> PCMBlock? {
        guard let decoder else { return nil }
        return try decoder.next()
    }

    /// The part of a block that is to be heard.
    private func append(_ block: PCMBlock, to tape: Tape?) {
        guard let run else { return }
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
        putMarks(on: tape)
        tape?.append(UnsafeBufferPointer(rebasing: block.values[(Int(first) * channels)..<(Int(last) * channels)]))
        place(upTo: block.instant.addingSaturated(count * streamRate / rate), on: tape)
    }

    private func putMarks(on tape: Tape?) {
        for mark in marks { tape?.mark(mark) }
        marks.removeAll(keepingCapacity: true)
    }

    /// Says which frames the tape's samples belong to; a frame ends where the next one begins.
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
            // What the last run's decoder holds comes first.
            guard finishDecoder() else { return .dry }
            placeAll(on: tape)
            batch.nextRecord += 1
            let run = batch.runs[batch.nextRun]
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
        case .mark:
            batch.nextRecord += 1
            if marks.count >= Self.mostUnplaced { marks.removeFirst() }
            marks.append(record.number)
        case .end:
            guard finishDecoder() else { return .dry }
            batch.nextRecord += 1
            hasEnded = true
        }
        return .more
    }

    /// Gives a frame to the decoder; whether that has taken it. One that is damaged counts as taken.
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

    /// Has the decoder say what it holds; whether all of it has come.
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
        putMarks(on: tape)
        tape?.close()
        return .ended
    }
}
