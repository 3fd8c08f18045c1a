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
    private let zone: any TimeZoneRules
    private let reactor: any Reactor
    private var pages: PageMaker?
    private var links: UInt32 = 0
    private var airTime: AirTime?
    private var loss: (at: WallInstant, length: Duration)?
    private var isPausing = false
    private var hasEnded = false
    private var completion: ((RecordingReport) -> Void)?
    private var report = RecordingReport()

    package init(writer: DescriptorWriter, zone: any TimeZoneRules, reactor: any Reactor) {
        self.writer = writer
        self.zone = zone
        self.reactor = reactor
    }

    /// What was put out so far.
    package var progress: (seconds: Double, frames: Int64, bytes: Int64, title: String?) {
        (report.seconds, report.frames, report.bytes, report.titles.last?.text)
    }

    package func receive(_ event: StreamEvent) {
        guard !hasEnded, completion == nil else { return }
        switch event {
        case .format(let format, _): begin(format)
        case .airTime(let map): airTime = map
        case .chunk(let chunk): put(chunk)
        case .title(let title): note(title)
        case .discontinuity(let discontinuity):
            guard case .gap(let gap) = discontinuity.kind else { return }
            report.gaps.appendBounded(Sidecar.Gap(gap, in: zone, position: report.frames))
        case .station, .ended: break
        }
    }

    /// Writes what waits, and reports. The owner sets the time limit: a reader that has stopped reading never ends.
    package func stop(completion: @escaping (RecordingReport) -> Void) {
        guard self.completion == nil else { return }
        resumeSource()
        endLoss()
        guard !hasEnded else {
            self.completion = { _ in }
            return completion(report)
        }
        if let last = pages?.finish().pages, !last.isEmpty { _ = writer.append(last) }
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
        report.failure = error?.failure
        resumeSource()
        if let completion {
            self.completion = { _ in }
            completion(report)
        } else {
            onEnd?(error)
        }
    }

    private func begin(_ format: StreamFormat) {
        airTime = nil
        if let last = pages?.finish().pages, !last.isEmpty { _ = writer.append(last) }
        pages = nil
        guard format.codec.isOgg else { return }
        links += 1
        var paginator = OggPaginator(format: format, serial: links, comments: [], pageDuration: Self.pageDuration)
        _ = writer.append(paginator.headerPages())
        pages = PageMaker(paginator)
    }

    private func put(_ chunk: Chunk) {
        let result: Appended
        if pages == nil {
            result = writer.append(chunk.slice)
        } else {
            let full = pages?.append(chunk).pages ?? []
            result = full.isEmpty ? .queued : writer.append(full)
        }
        guard result != .refused else {
            loss = loss ?? (airTime?.instant(ofSample: chunk.position.samples) ?? reactor.wallNow, .zero)
            loss?.length += chunk.duration
            return
        }
        endLoss()
        report.frames += Int64(chunk.frames.count)
        report.bytes += Int64(chunk.bytes.count)
        report.seconds += chunk.duration.inSeconds
        if result == .aboveHighWater, !isPausing {
            isPausing = true
            flow?.pause(for: self)
        }
    }

    private func note(_ title: StreamTitle) {
        let at = airTime?.instant(ofSample: title.position.samples) ?? reactor.wallNow
        report.titles.appendBounded(
            Sidecar.Title(at: CivilTime(at, in: zone), position: report.frames, text: title.text))
    }

    private func endLoss() {
        guard let loss else { return }
        self.loss = nil
        let gap = Gap(at: loss.at, length: loss.length, cause: "standard output was not read")
        report.gaps.appendBounded(Sidecar.Gap(gap, in: zone, position: report.frames))
    }

    private func resumeSource() {
        guard isPausing else { return }
        isPausing = false
        flow?.resume(for: self)
    }

    private static let pageDuration = Duration.milliseconds(200)
}
