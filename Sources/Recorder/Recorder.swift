// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
package import RadioCore
import RadioFormats
package import Stations
package import Storage

/// Records one station: a sink that turns its stream into segment files.
///
/// Confined to the loop's thread. ``SegmentPlanner`` decides, ``SegmentWriter`` writes; the recorder names files, keeps
/// the ledger of what is in them and answers what the writer reports. Audio goes on by reference and is never waited
/// for: what the writer's queue refuses becomes a dated gap.
///
/// The owner attaches it to a station, and ends it with ``stop(completion:)``. A file's life: planned, open (from its first frame on), ending (closed, not yet complete),
/// finished. A file that fails in the middle ends where it fails, and the next file takes what waited.
package final class Recorder: StreamSink {
    /// Called for everything worth a log line. On the loop.
    package var onNotice: ((RecorderNotice) -> Void)?
    /// Holds back a source that can wait while the disk is slower; a live one ignores it.
    package weak var flow: (any FlowControl)?
    /// A file need not have the newest frame: three times a second will do.
    package var tolerance: Duration? { .seconds(1) / 3 }

    let settings: RecorderSettings
    let writer: SegmentWriter
    let reactor: any Reactor
    var planner: SegmentPlanner
    /// A segment that has begun and has no file yet.
    var plan: SegmentPlan?
    /// Marks that belong to the next frame.
    var marks: [SegmentMark] = []
    var current: RecorderFile?
    var ending: [RecorderFile] = []
    /// The newest complete files, oldest first: their sidecars may still change. That of the last one names the next
    /// file as soon as that is known, and a stretch may reach back into some.
    var finished: [RecorderFile] = []
    /// The number of the newest file.
    var lastNumber = 0
    var loss: Loss?
    var failing: StorageError?
    /// Why the newest file that has come to its end could not be completed; nil where it could.
    var unfinished: Failure?
    var ledger: RecordingLedger
    var report = RecordingReport()
    var stopping: Stop?

    private var stationName: String?
    private var kind: SourceKind?
    private(set) var airTime: AirTime?
    private var isPausing = false
    private var refreshedAt: MonotonicInstant?
    private lazy var waitTimer = reactor.makeTimer { [weak self] in self?.endWait() }
    private lazy var sidecarTimer = reactor.makeTimer { [weak self] in self?.refreshSidecar() }

    /// Audio that is being lost.
    struct Loss {
        var at: WallInstant
        var length = Duration.zero
        var cause: String
        var failure: Failure?
        /// Gaps among the lost frames: they are in no file any more.
        var gaps: [Sidecar.Gap] = []
    }

    /// A recorder whose files go to a folder. It first completes what an earlier run left there.
    package init(settings: RecorderSettings, folder: String, queue: WriterQueue, reactor: any Reactor) {
        self.settings = settings
        self.reactor = reactor
        let own = LoopBound<Recorder>(reactor)
        writer = SegmentWriter(queue: queue, root: folder) { report in own.tell { $0.hear(report) } }
        ledger = RecordingLedger(zone: settings.zone)
        planner = SegmentPlanner(policy: settings.policy, zone: settings.zone, titleOffset: settings.titleOffset)
        own.bind(self)
        writer.recover(writesSidecars: settings.writesSidecars, depth: settings.folderDepth)
    }

    var station: String { settings.station ?? stationName ?? "station" }

    /// What was recorded, as far as the queue has taken it: bytes of frames, without tags, and seconds of audio.
    package var progress: (bytes: Int64, seconds: Double) { (ledger.bytes, ledger.seconds) }

    // MARK: The stream

    package func receive(_ event: StreamEvent) {
        guard stopping == nil else { return }
        switch event {
        case .station(let info):
            stationName = info.name
            kind = info.kind
        case .format: airTime = nil
        case .airTime(let map): airTime = map
        case .discontinuity, .splice, .stretch, .title, .chunk, .ended: break
        }
        run(planner.receive(event, now: reactor.wallNow))
    }

    func run(_ actions: [SegmentAction]) {
        for action in actions {
            switch action {
            case .open(let plan): self.plan = plan
            case .mark(let mark): marks.appendBounded(mark)
            case .append(let chunk): record(chunk)
            case .close(_, let isComplete): close(isComplete: isComplete)
            case .notice(.noTitles): onNotice?(.noTitles)
            }
        }
        guard planner.isWaiting else { return waitTimer.cancel() }
        if !waitTimer.isArmed { waitTimer.arm(at: reactor.now + SegmentPlanner.longestWait) }
    }

    private func endWait() {
        run(planner.settleTimeout(now: reactor.wallNow))
    }

    // MARK: Frames

    private func record(_ chunk: Chunk) {
        guard let file = current ?? open(for: chunk) else { return lose(chunk) }
        if file.pages != nil {
            record(chunk, inPagesOf: file)
        } else {
            let result = writer.append(
                chunk.slice, to: file.id, frames: chunk.frames.count, samples: chunk.samples)
            guard result != .refused else { return lose(chunk) }
            enter(chunk, into: file)
            file.head.count(chunk)
            heed(result)
        }
    }

    /// Packets count once they are taken; the pages that hold them go to the writer when they are full.
    private func record(_ chunk: Chunk, inPagesOf file: RecorderFile) {
        guard writer.hasRoom(for: chunk.bytes.count) else { return lose(chunk) }
        enter(chunk, into: file)
        guard let (pages, units) = file.pages?.append(chunk), !pages.isEmpty else { return }
        heed(append(pages, units, to: file))
    }

    private func append(_ pages: [UInt8], _ units: PageMaker.Units, to file: RecorderFile) -> Appended {
        writer.append(
            pages, to: file.id, frames: units.frames, frameBytes: units.bytes, samples: units.samples)
    }

    /// Holds the source back where the queue is long.
    private func heed(_ result: Appended) {
        guard result == .aboveHighWater, !isPausing else { return }
        isPausing = true
        flow?.pause(for: self)
    }

    func resumeSource() {
        guard isPausing else { return }
        isPausing = false
        flow?.resume(for: self)
    }

    // MARK: Losses

    private func lose(_ chunk: Chunk) {
        let at = airTime?.instant(ofSample: chunk.position.samples) ?? reactor.wallNow
        let cause = failing?.message ?? "the disk did not keep up"
        loss = loss ?? Loss(at: at, cause: cause, failure: failing?.failure)
        loss?.length += chunk.duration
    }

    // MARK: Files

    /// Begins the file of the planned segment with the chunk's first frame; nil where the queue is full.
    private func open(for chunk: Chunk) -> RecorderFile? {
        guard var plan, writer.hasRoom(for: chunk.bytes.count) else { return nil }
        // Frames may have been lost since the segment was planned.
        plan.move(to: chunk.position)
        self.plan = nil
        let file = makeFile(plan, firstFrame: chunk) { writer.open($0) }
        if !marks.contains(where: { if case .title = $0 { true } else { false } }), let title = plan.title,
            !title.isEmpty
        {
            file.ledger.add(Sidecar.Title(at: CivilTime(plan.airTime, in: settings.zone), position: 0, text: title))
        }
        current = file
        if settings.writesSidecars { sidecarTimer.arm(at: reactor.now + Self.sidecarInterval) }
        return file
    }

    private func makeFile(
        _ plan: SegmentPlan, firstFrame chunk: Chunk, open: (SegmentFileSpec) -> FileID
    ) -> RecorderFile {
        var spec = settings.fileSpec(for: plan, station: station)
        lastNumber += 1
        let fileLedger = SegmentLedger(
            number: lastNumber, format: plan.format, began: plan.cause, start: plan.airTime)
        var head = SegmentHead.none
        var pages: PageMaker?
        if plan.format.container == .ogg {
            let serial = UInt32(truncatingIfNeeded: lastNumber)
            let preSkip = PageMaker.preSkip(at: chunk.position, of: kind)
            var paginator = paginator(for: plan, serial: serial, spec, preSkip: preSkip)
            spec.header = paginator.headerPages()
            spec.isPaged = true
            pages = PageMaker(paginator, serial: serial)
        } else {
            let tag = settings.tag(for: plan, station: station, fileName: spec.name)
            head = SegmentHead(
                plan.format, tag: tag, firstHeader: settings.isPure ? nil : chunk.firstHeader)
            spec.header = head.bytes
        }
        var sidecar = fileLedger.sidecar(settings, station: station, state: .growing)
        sidecar.previous = relativeName(of: newestName, from: spec.folders)
        begin(sidecar, of: &spec)
        let file = RecorderFile(
            id: open(spec), spec: spec, format: plan.format, first: ledger.frames, ledger: fileLedger,
            head: head)
        file.pages = pages
        file.previous = newestName
        return file
    }

    /// Makes the pages of a file.
    func paginator(
        for plan: SegmentPlan, serial: UInt32, _ spec: SegmentFileSpec, preSkip: OggPaginator.PreSkip
    ) -> OggPaginator {
        let comments = settings.comments(for: plan, station: station, fileName: spec.name)
        return OggPaginator(
            format: plan.format, serial: serial, comments: comments.map { ($0.name, $0.value) },
            preSkip: preSkip, pageDuration: Self.pageDuration)
    }

    private func close(isComplete: Bool) {
        plan = nil
        sidecarTimer.cancel()
        guard let file = current else { return }
        current = nil
        if let (pages, units) = file.pages?.finish(), !pages.isEmpty { heed(append(pages, units, to: file)) }
        if settings.policy == .title { file.ledger.hasWholeSong = isComplete }
        file.stage = .ending
        ending.append(file)
        writer.close(file.id, fileEnding(of: file))
    }

    func fileEnding(of file: RecorderFile) -> FileEnding {
        var head = file.head
        head.setLength(milliseconds: Int64(clampingRounded: file.ledger.seconds * 1_000))
        return FileEnding(
            header: file.pages == nil ? head.bytes : nil,
            sidecar: settings.writesSidecars ? sidecar(of: file, .complete) : nil)
    }

    /// Gives a file the sidecar that it begins with, to keep or only for as long as it grows.
    func begin(_ sidecar: Sidecar, of spec: inout SegmentFileSpec) {
        var sidecar = sidecar
        sidecar.isKept = settings.writesSidecars
        if sidecar.isKept { spec.sidecar = sidecar.encoded } else { spec.passingSidecar = sidecar.encoded }
    }

    func sidecar(of file: RecorderFile, _ state: Sidecar.State) -> [UInt8] {
        var sidecar = file.ledger.sidecar(settings, station: station, state: state)
        sidecar.previous = relativeName(of: file.previous, from: file.spec.folders)
        sidecar.next = relativeName(of: file.next, from: file.spec.folders)
        return sidecar.encoded
    }

    private func refreshSidecar() {
        guard let current, settings.writesSidecars else { return }
        rewriteSidecar(of: current)
        refreshedAt = reactor.now
        sidecarTimer.arm(at: reactor.now + Self.sidecarInterval)
    }

    /// Brings the growing file's sidecar up to date with its ledger: at once, but not more than once a second, for a
    /// station may break off again and again.
    func refreshSidecarSoon() {
        guard settings.writesSidecars else { return }
        guard let refreshedAt, reactor.now - refreshedAt < Self.leastSidecarInterval else { return refreshSidecar() }
        sidecarTimer.arm(at: refreshedAt + Self.leastSidecarInterval)
    }

    /// The newest file that has a name.
    private var newestName: String? { current?.name ?? ending.last?.name ?? finished.last?.name }

    private static let sidecarInterval = Duration.seconds(60)
    private static let leastSidecarInterval = Duration.seconds(1)
    /// Ogg: how much audio waits for its page, beside what waits for the writer.
    private static let pageDuration = Duration.milliseconds(200)
}

extension Chunk {
    /// The header of the first frame, if it is MPEG audio.
    fileprivate var firstHeader: MPEGFrameHeader? {
        slab.withBytes(bytes) { bytes in
            guard bytes.count >= 4 else { return nil }
            return MPEGFrameHeader(word: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
        }
    }
}
