// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
package import RadioCore
import RadioFormats
package import Stations
package import Storage

/// The sink for `--output -`: writes just the frames to a descriptor.
///
/// Ogg is written as our own pages, with a new chain link for each format. A source that can wait is paused while the
/// reader is slower. A live source is never paused: audio that a slow reader misses becomes a gap, and an error in the
/// report unless the reader goes away. Only whole frames are dropped.
package final class FrameOutput: StreamSink {
    /// Called once, on the loop, when the reader has gone or writing has failed: there is no use in continuing.
    package var onEnd: ((StorageError?) -> Void)?
    /// Pauses a source that can wait while the reader is slower.
    package var flow: (any FlowControl)? {
        get { brake.flow }
        set { brake.flow = newValue }
    }

    private let writer: DescriptorWriter
    private let reactor: any Reactor
    private var pages: PageMaker?
    /// The link's header pages until the writer has accepted them; other pages must not precede them.
    private var headers: [UInt8] = []
    private var links: UInt32 = 0
    /// Ogg: the number of the station's frame that follows the last frame packed into a page.
    private var nextFrame: Int64 = 0
    /// The number of the station's sample that follows the last sample taken.
    private var nextSample: Int64 = 0
    private var sampleRate = 1
    private var kind: SourceKind?
    private var airTime: AirTime?
    /// The total duration of dropped audio in milliseconds.
    private var lost: Int64 = 0
    private let brake = SourceBrake()
    private var hasEnded = false
    private var stopping: Stop?
    private var ledger: RecordingLedger
    private var failure: Failure?

    /// A stop in progress, or one that is over.
    private struct Stop {
        let completion: (RecordingReport) -> Void
        let timer: any ReactorTimer
        /// For how long the reader may take nothing.
        var patience: Duration
        /// The number of bytes that the reader had taken at the last check.
        var written: Int64 = 0
        /// When to give up even if the reader still makes progress; nil until ``hurry(_:)`` is called.
        var deadline: MonotonicInstant?
    }

    /// Starts the writing thread. The descriptor, usually standard output, still belongs to the caller and stays open.
    package init(
        descriptor: CInt, limits: WriterLimits = WriterLimits(), zone: any TimeZoneRules, reactor: any Reactor
    ) throws(StorageError) {
        let own = LoopBound<FrameOutput>(reactor)
        writer = try DescriptorWriter(descriptor: descriptor, name: "standard output", limits: limits) { report in
            own.tell { $0.hear(report) }
        }
        self.reactor = reactor
        ledger = RecordingLedger(zone: zone)
        own.bind(self)
    }

    /// The output so far: frames, their bytes, and seconds of audio.
    package var progress: (frames: Int64, bytes: Int64, seconds: Double) {
        (ledger.frames, ledger.bytes, ledger.seconds)
    }

    package func receive(_ event: StreamEvent) {
        guard !hasEnded, stopping == nil else { return }
        switch event {
        case .format(let format, let position): begin(format, at: position)
        case .airTime(let map): airTime = map
        case .chunk(let chunk): put(chunk)
        case .title(let title):
            ledger.enter(.title(title, airTime: airTime(ofSample: title.position.samples)))
        case .discontinuity(let discontinuity): ledger.enter(.discontinuity(discontinuity))
        case .hole(let gap, let position): ledger.enter(.hole(gap, before: position))
        case .splice(let splice): ledger.enter(.splice(splice))
        case .stretch(let stretch): ledger.enter(.stretch(stretch))
        case .station(let info): kind = info.kind
        // What has been written cannot be changed, so the gap stays.
        case .found, .ended: break
        }
    }

    /// Bytes of any kind that the reader has accepted so far.
    package var written: Int64 { writer.written }

    /// Writes the remaining data, waiting as long as the reader takes some of it within each `patience`, and then
    /// passes the report to `completion`. Only the first call counts.
    package func stop(patience: Duration, completion: @escaping (RecordingReport) -> Void) {
        guard stopping == nil else { return }
        let timer = reactor.makeTimer { [weak self] in self?.lookForProgress() }
        stopping = Stop(completion: completion, timer: timer, patience: patience)
        brake.release(for: self)
        guard !hasEnded else { return completion(report()) }
        waitForProgress()
        endLink()
        writer.finish()
    }

    /// Makes a stop that is in progress end within `patience`. From now on, the reader has to take something within
    /// each second.
    package func hurry(_ patience: Duration) {
        guard !hasEnded, stopping != nil, stopping?.deadline == nil else { return }
        stopping?.deadline = reactor.now + patience
        stopping?.patience = Self.hurriedPatience
        waitForProgress()
    }

    private func waitForProgress() {
        guard let stop = stopping else { return }
        stopping?.written = written
        let next = reactor.now + stop.patience
        stop.timer.arm(at: stop.deadline.map { min($0, next) } ?? next)
    }

    /// Drops the unwritten data and reports if the reader has stalled, or if it is too late.
    private func lookForProgress() {
        guard !hasEnded, let stop = stopping else { return }
        if written > stop.written, stop.deadline.map({ reactor.now < $0 }) ?? true { return waitForProgress() }
        leaveOut(writer.abandon())
        end(nil)
    }

    private func hear(_ report: DescriptorWriter.Report) {
        guard !hasEnded else { return }
        switch report {
        case .drained: brake.release(for: self)
        case .ended: end(nil)
        case .readerGone(let left):
            // The reader misses nothing of what it would not have read, and what it had missed harms it no more.
            forget(left)
            ledger.forgetLosses()
            lost = 0
            end(nil)
        case .failed(let error, let left):
            leaveOut(left)
            end(error)
        }
    }

    private func end(_ error: StorageError?) {
        hasEnded = true
        failure = error?.failure
        brake.release(for: self)
        endLoss()
        if let stopping {
            stopping.timer.cancel()
            stopping.completion(report())
        } else {
            onEnd?(error)
        }
    }

    private func begin(_ format: StreamFormat, at position: Position) {
        endLink()
        airTime = nil
        guard format.container == .ogg else {
            headers = format.fileHead()?.bytes ?? []
            return
        }
        links += 1
        var paginator = OggPaginator(
            format: format, serial: links, comments: [], preSkip: PageMaker.preSkip(at: position, of: kind),
            pageDuration: Self.pageDuration)
        headers = paginator.headerPages()
        pages = PageMaker(paginator, serial: links)
        sampleRate = format.sampleRate
    }

    /// Writes the last page of a link if the reader has got the link's header pages.
    private func endLink() {
        defer {
            pages = nil
            headers = []
        }
        guard headers.isEmpty, let (last, units) = pages?.finish(), !last.isEmpty else { return }
        take(units, first: nextFrame - Int64(units.frames), writer.append(last, units.totals), at: airTimeNow)
    }

    private func put(_ chunk: Chunk) {
        guard pages != nil else {
            sampleRate = chunk.format.sampleRate
            for piece in chunk.pieces(ofAtMost: DescriptorWriter.atomicLength) { putPlain(piece) }
            return
        }
        putInPages(chunk)
    }

    /// Queues the headers of the link, without which the reader could not use the link's frames.
    private func putHeaders() {
        if !headers.isEmpty, writer.append(headers, FrameTotals()) != .refused { headers = [] }
    }

    private func putPlain(_ chunk: Chunk) {
        putHeaders()
        let units = PageMaker.Units(frames: chunk.frames.count, bytes: chunk.bytes.count, samples: chunk.samples)
        nextSample = chunk.position.samples.addingSaturated(chunk.samples)
        take(
            units, first: chunk.position.frames,
            headers.isEmpty ? writer.append(chunk.slice, units.totals) : .refused,
            at: airTime(ofSample: chunk.position.samples))
    }

    private func putInPages(_ chunk: Chunk) {
        putHeaders()
        // Packets count when the page that contains them is accepted.
        nextFrame = chunk.position.frames + Int64(chunk.frames.count)
        nextSample = chunk.position.samples.addingSaturated(chunk.samples)
        let waiting = pages?.waiting ?? PageMaker.Units()
        guard let (full, done) = pages?.append(chunk), !full.isEmpty else { return }
        take(
            done, first: chunk.position.frames - Int64(waiting.frames),
            headers.isEmpty ? writer.append(full, done.totals) : .refused,
            at: airTime(ofSample: chunk.position.samples - waiting.samples))
    }

    private func airTime(ofSample sample: Int64) -> WallInstant {
        airTime?.instant(ofSample: sample) ?? reactor.wallNow
    }

    private var airTimeNow: WallInstant { airTime(ofSample: nextSample) }

    /// Records the result of writing frames. `first` is the number of the first frame, `at` its air time.
    private func take(_ units: PageMaker.Units, first: Int64, _ result: Appended, at: WallInstant) {
        let length = Duration.samples(units.samples, at: sampleRate)
        guard result != .refused else {
            return ledger.lose(Gap(at: at, length: length, cause: Self.notRead))
        }
        endLoss()
        ledger.count(
            first: first, frames: Int64(units.frames), bytes: Int64(units.bytes), seconds: length.inSeconds)
        brake.heed(result, for: self)
    }

    /// Removes unwritten frames from the ledger.
    private func forget(_ left: FrameTotals) {
        let end = ledger.frames
        ledger.forget(
            end - left.frames..<end, bytes: left.bytes,
            seconds: Duration.samples(left.samples, at: sampleRate).inSeconds)
    }

    /// Removes from the ledger the unwritten frames that the reader should have received. They become a gap, together
    /// with the frames after them that could not be queued.
    private func leaveOut(_ left: FrameTotals) {
        forget(left)
        guard left.frames > 0 else { return }
        let length = Duration.samples(left.samples, at: sampleRate)
        let start = (ledger.losses.first?.at ?? airTimeNow) - length
        ledger.lose(Gap(at: start, length: length, cause: Self.notRead), isEarlier: true)
    }

    private func endLoss() {
        lost += ledger.endLosses().reduce(0) { $0 + ($1.milliseconds ?? 0) }
    }

    private func report() -> RecordingReport {
        var report = RecordingReport()
        report.frames = ledger.frames
        report.bytes = ledger.bytes
        report.seconds = ledger.seconds
        report.failure = failure ?? slowness
        report.take(ledger)
        return report
    }

    /// The failure if the reader was too slow.
    private var slowness: Failure? {
        guard lost > 0 else { return nil }
        let tenths = lost / 100
        return Failure(
            .storage, "\(Self.notRead) fast enough: \(tenths / 10).\(tenths % 10) s of audio were left out",
            remedy: "read it faster, or record into files")
    }

    private static let notRead = "standard output was not read"
    private static let hurriedPatience = Duration.seconds(1)
    private static let pageDuration = Duration.milliseconds(200)
}

extension PageMaker.Units {
    fileprivate var totals: FrameTotals {
        FrameTotals(frames: Int64(frames), bytes: Int64(bytes), samples: samples)
    }
}

extension Chunk {
    /// Splits the chunk into pieces of whole frames, each with as many as fit into `count` bytes. A longer frame is a
    /// piece of its own.
    fileprivate func pieces(ofAtMost count: Int) -> [Chunk] {
        guard bytes.count > count else { return [self] }
        var pieces: [Chunk] = []
        var first = 0
        var length = 0
        for (index, frame) in frames.enumerated() {
            let more = slab.range(ofFrame: frame).count
            if index > first, length + more > count {
                pieces.append(subchunk(first..<index))
                (first, length) = (index, 0)
            }
            length += more
        }
        pieces.append(subchunk(first..<frames.count))
        return pieces
    }
}
