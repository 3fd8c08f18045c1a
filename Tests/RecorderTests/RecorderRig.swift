// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import Platform
import RadioFormats
import Recorder
import Stations
import Storage
import TestSupport
import TestTools
import Testing

@testable import RadioCore

/// A recorder between a hub that the test feeds and a writer without a thread, all on one clock that the test advances.
final class RecorderRig: FlowControl {
    let folder: TemporaryFolder
    let reactor: ManualReactor
    let system: FaultySystem
    let hub = StreamHub()
    let recorder: Recorder
    private(set) var notices: [RecorderNotice] = []
    private(set) var report: RecordingReport?
    private(set) var isPaused = false
    /// Whether the source can wait.
    var canPause = true
    private let engine: WriterEngine
    private let clock: Monitor<MonotonicInstant>
    /// Whether the writer's thread hangs in a call.
    var isWriterHanging = false
    private var timers: [any ReactorTimer] = []
    /// How many frames were fed so far.
    private(set) var fed = 0

    static let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 2)
    static let flac = StreamFormat(
        codec: .flac, in: .flac, sampleRate: 44_100, channels: 1, headerPackets: [SyntheticFLAC().streamInfo()])
    /// The wall-clock time at which the rig begins: 08:25 in the morning, UTC.
    static let start = WallInstant(nanoseconds: 1_795_249_500_000_000_000)

    /// The station has begun and has sent for `played`; without that time, the test begins it.
    init(
        playing played: Duration? = nil, folder: TemporaryFolder? = nil, subfolder: String = "",
        limits: WriterLimits = WriterLimits(),
        system: FaultySystem = FaultySystem(), healing: HealingThread? = nil,
        _ change: (inout RecorderSettings) -> Void = { _ in }
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        let reactor = ManualReactor(wallNow: Self.start)
        let clock = Monitor(reactor.now)
        self.folder = folder
        self.system = system
        self.reactor = reactor
        self.clock = clock
        let queue = WriterQueue(limits: limits, clock: { clock.withLock { $0 } })
        engine = WriterEngine(queue: queue, system: system)
        var settings = RecorderSettings(recording: "rec-1", zone: FixedZone.utc)
        settings.station = "FIP"
        change(&settings)
        recorder = Recorder(
            settings: settings, folder: folder.path + subfolder, queue: queue,
            healing: healing ?? .direct(system), reactor: reactor)
        recorder.onNotice = { [weak self] in self?.notices.append($0) }
        recorder.flow = self
        guard let played else { return }
        begin()
        play(played)
    }

    deinit { engine.leaveAll() }

    func pause(for sink: any StreamSink) { isPaused = canPause }
    func resume(for sink: any StreamSink) { isPaused = false }

    // MARK: The station

    /// Starts a station whose air time is settled.
    func begin(_ format: StreamFormat = RecorderRig.format, kind: SourceKind = .live) {
        hub.attach(recorder)
        hub.announce(StationInfo(kind: kind, name: "FIP", url: "http://fip.example/live"))
        hub.begin(format)
        hub.setAirTime(AirTime(origin: reactor.wallNow, sampleRate: format.sampleRate, isSettled: true))
        hub.report(.firstJoin)
    }

    /// Sets the air time so that the next frame is live now.
    func settleAirTime(drift: Double? = nil) {
        guard let rate = hub.ring.format?.sampleRate else { return }
        let origin = reactor.wallNow - .samples(hub.position.samples, at: rate)
        hub.setAirTime(AirTime(origin: origin, sampleRate: rate, isSettled: true, drift: drift))
    }

    /// Delivers an event of the station between frames.
    func tell(_ event: StreamEvent) {
        hub.flush()
        recorder.receive(event)
    }

    /// Feeds frames that are all different and decode without a complaint. Time does not pass.
    func feed(_ count: Int) {
        for _ in 0..<count {
            frame(fed).withUnsafeBytes { hub.append($0, samples: isOgg ? 960 : 1_152, backReference: 0) }
            fed += 1
        }
        hub.flush()
        for companion in recorder.companions { (companion as? GrowingLevels)?.hear() }
    }

    /// Feeds frames in real time for `duration`.
    func play(_ duration: Duration) {
        let end = reactor.now + duration
        while reactor.now < end {
            feed(4)
            pass(isOgg ? .milliseconds(80) : .samples(4 * 1_152, at: 44_100))
        }
    }

    /// Loses frames, with a gap of their length. Returns them, because they may be found later.
    func lose(_ count: Int) -> LostFrames {
        hub.flush()
        let samples = isOgg ? 960 : 1_152
        let length = Duration.samples(Int64(count * samples), at: hub.ring.format?.sampleRate ?? 44_100)
        let lost = LostFrames(
            before: hub.position.frames, frames: (fed..<fed + count).map(frame), samples: samples, length: length)
        hub.report(.gap(Gap(at: reactor.wallNow, length: length, cause: "the connection broke")))
        fed += count
        pass(length)
        settleAirTime()
        return lost
    }

    /// Tells of frames that were found: some of the lost ones.
    func find(_ lost: LostFrames, _ range: Range<Int>? = nil, left: Int? = nil) {
        let range = range ?? lost.frames.indices
        tell(.found(lost.found(range, left: left ?? lost.frames.count - range.count, hub.ring.format ?? Self.format)))
    }

    private var isOgg: Bool { hub.ring.format?.container == .ogg }

    /// A frame of the station's format; for Opus, a packet of 20 ms.
    private func frame(_ number: Int) -> [UInt8] {
        if hub.ring.format?.container == .flac { return SyntheticFLAC().frame(number) }
        var frame = Self.frame(number)
        if isOgg { frame[0] = 0xFC }
        return frame
    }

    var fedFrames: [[UInt8]] { (0..<fed).map(frame) }

    /// Leaves the disk little room from `start` on, counted from now, and unlimited room from `end` on.
    func fillDisk(from start: Duration, to end: Duration) {
        let system = system
        for (delay, room) in [(start, 3_000), (end, nil)] as [(Duration, Int?)] {
            let timer = reactor.makeTimer { system.setRoom(room) }
            timer.arm(at: reactor.now + delay)
            timers.append(timer)
        }
    }

    /// Plays a whole programme as a station sends it: through its framer, in real time, 4 kB at a time. The next
    /// programme played arrives on another connection.
    func play(_ bytes: [UInt8], with framer: some Framer, as kind: SourceKind = .live) {
        var framer = framer
        var rest = bytes[...]
        if hub.info == nil { hub.attach(recorder) }
        hub.announce(StationInfo(kind: kind, name: "FIP", url: "http://fip.example/live"))
        while !rest.isEmpty {
            rest.prefix(4_096).withUnsafeBytes { framer.append($0) }
            rest = rest.dropFirst(4_096)
            if rest.isEmpty { framer.finish() }
            drain(&framer)
        }
    }

    private func drain(_ framer: inout some Framer) {
        let before = hub.position.samples
        hub.take(from: &framer) { format in
            hub.setAirTime(AirTime(origin: reactor.wallNow, sampleRate: format.sampleRate, isSettled: true))
            hub.report(.firstJoin)
        }
        guard let rate = hub.ring.format?.sampleRate else { return }
        pass(.samples(hub.position.samples - before, at: rate))
    }

    /// A frame of layer III with 128 kbit/s, 44.1 kHz and joint stereo, but without audio. Its ancillary data is the
    /// number.
    static func frame(_ number: Int) -> [UInt8] {
        var frame = [UInt8](repeating: 0, count: 417)
        frame.replaceSubrange(0..<4, with: [0xFF, 0xFB, 0x90, 0x44])
        withUnsafeBytes(of: UInt64(number).bigEndian) { frame.replaceSubrange(409..<417, with: $0) }
        return frame
    }

    /// The bytes of all frames that were fed.
    var fedBytes: [UInt8] { (0..<fed).flatMap(Self.frame) }

    // MARK: Time

    func pass(_ duration: Duration = .zero) {
        let end = reactor.now + duration
        repeat {
            turnWriter()
            let step = min(end - reactor.now, .milliseconds(100))
            reactor.advance(by: step)
            clock.withLock { $0 = reactor.now }
            turnWriter()
        } while reactor.now < end
    }

    /// Plays for a while, stops the recorder, and lets time pass until the recording has ended.
    func stop(after duration: Duration = .zero) -> RecordingReport {
        play(duration)
        recorder.stop { [weak self] in self?.report = $0 }
        for _ in 0..<120 where report == nil { pass(.milliseconds(100)) }
        return report ?? RecordingReport()
    }

    private func turnWriter() {
        guard !isWriterHanging else { return }
        while true {
            var deadline = engine.turn(now: reactor.now)
            while let next = deadline, next <= reactor.now { deadline = engine.turn(now: reactor.now) }
            guard reactor.hasBeenTold else { return }
            reactor.settle()
        }
    }

    // MARK: Results

    /// The names of all files, sorted.
    var names: [String] { folder.names() }

    /// The frames of a file, without its tag and its Info frame.
    func audio(_ name: String) -> [UInt8] {
        FramerTranscript(of: [(folder.content(of: name) ?? [])[...]], by: MPEGAudioFramer()).frameBytes
    }

    func sidecar(_ name: String) -> Sidecar? {
        folder.content(of: name).flatMap(Sidecar.init(parsing:))
    }
}

extension StreamHub {
    /// Delivers all events that a framer has. `begun` is called after each format.
    func take(from framer: inout some Framer, begun: (StreamFormat) -> Void = { _ in }) {
        while let event = framer.next() {
            switch event {
            case .format(let format):
                begin(format)
                begun(format)
            case .frame(let frame):
                framer.withBytes(of: frame) {
                    append($0, samples: frame.samples, backReference: frame.backReference)
                }
            case .title(let title): setTitle(title)
            case .skipped, .discontinuity, .missing, .wrongChecksum: break
            }
        }
        flush()
    }
}

/// Frames that the station lost, in order.
struct LostFrames {
    /// The station's frame behind them.
    let before: Int64
    let frames: [[UInt8]]
    let samples: Int
    let length: Duration

    /// Some of the frames, as they are found. `left`: how many are still missing then.
    func found(_ range: Range<Int>, left: Int, _ format: StreamFormat) -> FoundAudio {
        var batch = FrameBatch()
        for frame in frames[range] { batch.append(FrameBatch(FrameFacts(samples: samples), length: frame.count)) }
        return FoundAudio(
            before: before, continuesBefore: range.lowerBound == 0 || left == 0,
            isContinuedAfter: range.upperBound == frames.count || left == 0, format: format, batch: batch,
            bytes: frames[range].flatMap(\.self), length: length / max(1, frames.count) * range.count,
            rest: length / max(1, frames.count) * left, source: "a second connection")
    }
}

/// Levels of a second for each frame.
final class GrowingLevels: GrowingCompanion {
    private weak var recorder: Recorder?
    private var heard = (file: FileID?.none, frame: Int64(0))

    init(_ recorder: Recorder) { self.recorder = recorder }

    func hear() {
        while let recorder, let run = recorder.recorded(from: heard.frame) {
            let head = heard.file == run.file ? [] : Levels.head(pairs: 1)
            heard = (run.file, run.start.frames + 1)
            recorder.append(head + Levels.Entry(rms: 0.1, peak: 0.2).bytes, to: .levels, of: run.file)
        }
    }

    func end(_ body: @escaping () -> Void) { body() }
}

extension RecorderRig {
    /// A programme, and its recording in three files of five seconds or less.
    static func threeFiles(
        _ parameters: ReferenceProgramme.Parameters, as kind: SourceKind = .live
    ) async throws -> (ReferenceProgramme, RecorderRig, LibraryRecording) {
        let programme = try await ReferenceProgramme.make(parameters)
        let rig = try RecorderRig { $0.policy = .period(.seconds(5)) }
        rig.play(programme.bytes, with: FormatTests.framer(for: parameters.encoding), as: kind)
        #expect(rig.stop().segments.count == 3)
        let library = Library(path: rig.folder.path)
        let first = try #require(try library.page(atMost: 1).segments.first)
        return (programme, rig, library.recording(of: first))
    }
}
