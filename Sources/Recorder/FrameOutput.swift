// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
package import RadioCore
import RadioFormats
package import Stations
package import Storage

/// `--output -`: a sink that puts the frames themselves, and nothing else, into a descriptor.
///
/// Confined to the loop's thread. Ogg comes as pages of our own, a new chain link for each format. The owner hands the
/// writer's reports to ``hear(_:)``. Live is never waited for: what a slow reader leaves behind is lost, as a gap.
package final class FrameOutput: StreamSink {
    /// The reader has gone, or cannot be written to: there is no use in going on. On the loop, once.
    package var onEnd: ((StorageError?) -> Void)?
    /// Holds back a source that can wait while the reader is slower.
    package weak var flow: (any FlowControl)?

    private let writer: DescriptorWriter
    private let reactor: any Reactor
    private var pages: PageMaker?
    /// Header pages of the link that were not taken yet: no other pages go before them.
    private var headers: [UInt8] = []
    private var links: UInt32 = 0
    /// Ogg: the station's frame after the last one that went into a page.
    private var nextFrame: Int64 = 0
    private var sampleRate = 1
    private var kind: SourceKind?
    private var airTime: AirTime?
    private var loss: (at: WallInstant, length: Duration)?
    private var isPausing = false
    private var hasEnded = false
    private var completion: ((RecordingReport) -> Void)?
    private var ledger: RecordingLedger
    private var failure: Failure?

    package init(writer: DescriptorWriter, zone: any TimeZoneRules, reactor: any Reactor) {
        self.writer = writer
        self.reactor = reactor
        ledger = RecordingLedger(zone: zone)
    }

    /// What was put out so far: bytes of frames, and seconds of audio.
    package var progress: (bytes: Int64, seconds: Double) { (ledger.bytes, ledger.seconds) }

    package func receive(_ event: StreamEvent) {
        guard !hasEnded, completion == nil else { return }
        switch event {
        case .format(let format, let position): begin(format, at: position)
        case .airTime(let map): airTime = map
        case .chunk(let chunk): put(chunk)
        case .title(let title): note(title)
        case .discontinuity(let discontinuity):
            guard case .gap(let gap) = discontinuity.kind else { return }
            _ = ledger.add(gap, toldAt: discontinuity.position.frames)
        case .splice(let splice): _ = ledger.add(splice)
        case .foreign(let span): _ = ledger.add(span)
        case .station(let info): kind = info.kind
        case .ended: break
        }
    }

    /// Writes what waits, and reports. The owner sets the time limit: a reader that has stopped reading never ends.
    package func stop(completion: @escaping (RecordingReport) -> Void) {
        guard self.completion == nil else { return }
        resumeSource()
        guard !hasEnded else {
            endLoss()
            self.completion = { _ in }
            return completion(report())
        }
        endLink()
        endLoss()
        self.completion = completion
        writer.finish()
    }

    /// Takes a report of the writer; on the loop.
    package func hear(_ news: DescriptorWriter.Report) {
        switch news {
        case .drained: resumeSource()
        case .ended: end(nil)
        case .failed(let error): end(error)
        }
    }

    private func end(_ error: StorageError?) {
        guard !hasEnded else { return }
        hasEnded = true
        failure = error?.failure
        resumeSource()
        if let completion {
            self.completion = { _ in }
            completion(report())
        } else {
            onEnd?(error)
        }
    }

    private func begin(_ format: StreamFormat, at position: Position) {
        endLink()
        airTime = nil
        guard format.codec.isOgg else { return }
        links += 1
        var paginator = OggPaginator(
            format: format, serial: links, comments: [], preSkip: PageMaker.preSkip(at: position, of: kind),
            pageDuration: Self.pageDuration)
        headers = paginator.headerPages()
        pages = PageMaker(paginator)
        sampleRate = format.sampleRate
    }

    /// The last page of a link of which the reader has seen the beginning.
    private func endLink() {
        defer {
            pages = nil
            headers = []
        }
        guard headers.isEmpty, let (last, units) = pages?.finish(), !last.isEmpty else { return }
        take(units, first: nextFrame - Int64(units.frames), writer.append(last), at: reactor.wallNow)
    }

    private func put(_ chunk: Chunk) {
        let units = PageMaker.Units(
            frames: chunk.frames.count, bytes: chunk.bytes.count, samples: chunk.samples)
        let at = airTime?.instant(ofSample: chunk.position.samples) ?? reactor.wallNow
        guard let maker = pages else {
            sampleRate = chunk.format.sampleRate
            return take(units, first: chunk.position.frames, writer.append(chunk.slice), at: at)
        }
        if !headers.isEmpty {
            guard writer.append(headers) != .refused else {
                return take(units, first: chunk.position.frames, .refused, at: at)
            }
            headers = []
        }
        // Packets count when the page that holds them is taken.
        nextFrame = chunk.position.frames + Int64(chunk.frames.count)
        let waiting = maker.waiting
        guard let (full, done) = pages?.append(chunk), !full.isEmpty else { return }
        take(
            done, first: chunk.position.frames - Int64(waiting.frames), writer.append(full),
            at: at - .samples(waiting.samples, at: sampleRate))
    }

    /// Enters what became of frames, the first of which is the station's frame `first` and aired at `at`.
    private func take(_ units: PageMaker.Units, first: Int64, _ result: Appended, at: WallInstant) {
        let length = Duration.samples(units.samples, at: sampleRate)
        guard result != .refused else {
            loss = loss ?? (at, .zero)
            loss?.length += length
            return
        }
        endLoss()
        ledger.count(
            first: first, frames: Int64(units.frames), bytes: Int64(units.bytes), seconds: length.inSeconds)
        if result == .aboveHighWater, !isPausing {
            isPausing = true
            flow?.pause(for: self)
        }
    }

    private func note(_ title: StreamTitle) {
        let at = airTime?.instant(ofSample: title.position.samples) ?? reactor.wallNow
        _ = ledger.add(title: title.text, at: at)
    }

    private func endLoss() {
        guard let loss else { return }
        self.loss = nil
        _ = ledger.add(Gap(at: loss.at, length: loss.length, cause: "standard output was not read"))
    }

    private func report() -> RecordingReport {
        var report = RecordingReport()
        report.frames = ledger.frames
        report.bytes = ledger.bytes
        report.seconds = ledger.seconds
        report.failure = failure
        report.take(ledger)
        return report
    }

    private func resumeSource() {
        guard isPausing else { return }
        isPausing = false
        flow?.resume(for: self)
    }

    private static let pageDuration = Duration.milliseconds(200)
}
