// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import EventLoopTesting
import Instants
import Platform
import RadioCore
import RadioFormats
import Recorder
import Stations
import Storage

/// A station and its recorder, from the bytes of its connections to the files, in virtual time and in memory.
///
/// Everything in between is release code. Only the ends are replaced: ``PathServer`` stands in for curl and
/// ``MemorySystem`` for the disk, and instead of the writer's thread, this class runs the writer's turns.
final class PathRun {
    let plan: PathPlan
    let server = PathServer()
    let witness: PathWitness
    let system: MemorySystem
    private(set) var report: RecordingReport?
    private let body: [UInt8]
    private let reactor: ManualReactor
    private let station: Programme
    private let recorder: Recorder
    private let engine: WriterEngine
    private let clock: Monitor<MonotonicInstant>
    /// The number of transfers answered.
    private var answered = 0
    private var lastTurn: MonotonicInstant

    static let folder = "recordings"
    /// The number of bytes that fit on the disk if the plan fills it.
    private static let room = 3_000

    init(_ plan: PathPlan, _ body: [UInt8]) {
        self.plan = plan
        self.body = body
        reactor = ManualReactor(
            now: MonotonicInstant(nanoseconds: PathPlan.clockStarts[plan.clock]),
            wallNow: WallInstant(nanoseconds: PathPlan.wallStarts[plan.wall]))
        lastTurn = reactor.now
        let urls = ["http://radio.example/live", "http://mirror.example/live"]
        let settings = StationSettings(urls: urls, userAgent: "Aircheck")
        station = Programme(settings: settings, client: server, reactor: reactor, from: plan.start)
        witness = PathWitness(from: plan.start)
        system = MemorySystem(room: plan.fillsDisk ? Self.room : nil)
        let clock = Monitor(reactor.now)
        self.clock = clock
        let queue = WriterQueue(clock: { clock.withLock { $0 } })
        engine = WriterEngine(queue: queue, system: system)
        var recording = RecorderSettings(recording: "fuzz", zone: FixedZone.utc)
        recording.policy = PathPlan.policies[plan.policy]
        recording.titleOffset = PathPlan.titleOffsets[plan.titleOffset]
        recording.isPure = plan.isPure
        recorder = Recorder(
            settings: recording, folder: Self.folder, queue: queue,
            healing: .direct(system), reactor: reactor)
        recorder.flow = station
    }

    /// Plays the whole input, to the end of the recording.
    func play() {
        station.hub.attach(witness)
        station.hub.attach(recorder)
        station.start()
        playConnections()
        pass(.seconds(3))
        station.stop()
        pass(.seconds(1))
        recorder.stop { [weak self] in self?.report = $0 }
        for _ in 0..<100 where report == nil { pass(.milliseconds(100)) }
        engine.leaveAll()
    }

    // MARK: The server

    private func playConnections() {
        var silent: (transfer: PathServer.Transfer, rest: ArraySlice<UInt8>)?
        for range in ranges {
            guard let transfer = nextTransfer() else { return }
            var start = range.lowerBound
            if plan.isFile, let resumed = transfer.request.resumeAt {
                start = min(Int(clamping: resumed), range.upperBound)
            }
            transfer.receiveHead(plan, from: start, of: body.count)
            let bytes = Array(start > 0 ? body[..<preambleEnd] : []) + Array(body[start..<range.upperBound])
            for piece in InputSplit.pieces(of: bytes) {
                pass(time(for: piece.count))
                guard transfer.receive(piece) else { break }
                // The connection that had fallen silent resumes where it stopped, beside the new connection.
                if let (other, rest) = silent, !piece.isEmpty {
                    silent = other.receive(rest.prefix(piece.count)) ? (other, rest.dropFirst(piece.count)) : nil
                }
            }
            silent = end(transfer, at: range.upperBound)
        }
    }

    /// The part of the body that each connection delivers.
    private var ranges: [Range<Int>] {
        let ends = (1...plan.connections).map { body.count * $0 / plan.connections }
        var ranges: [Range<Int>] = []
        for end in ends {
            let last = ranges.last ?? 0..<0
            let again = last.count * plan.overlap / 4
            ranges.append(placeOfInterval(before: last.upperBound - again)..<end)
        }
        return ranges
    }

    /// The end of the initial Ogg headers, with which a server begins each connection.
    private var preambleEnd: Int {
        guard !plan.isFile else { return 0 }
        var end = 0
        while body[end...].starts(with: Array("OggS".utf8)), end + 27 <= body.count {
            let isHeader = body[end + 6..<end + 14].allSatisfy { $0 == 0 }
            let table = body[(end + 27)...].prefix(Int(body[end + 26]))
            guard isHeader else { break }
            end = min(body.count, end + 27 + table.count + table.reduce(0) { $0 + Int($1) })
        }
        return end
    }

    /// The last place at or before `place` at which a body can start so that its metadata blocks come at the interval
    /// that the head states.
    private func placeOfInterval(before place: Int) -> Int {
        guard plan.interval > 0, !plan.isFile else { return place }
        var last = 0
        while true {
            let block = last + plan.interval
            guard block < body.count else { return last }
            let next = block + 1 + 16 * Int(body[block])
            guard next <= place else { return last }
            last = next
        }
    }

    private func end(
        _ transfer: PathServer.Transfer, at place: Int
    ) -> (transfer: PathServer.Transfer, rest: ArraySlice<UInt8>)? {
        switch plan.ending {
        case .complete:
            let isShort = plan.isFile && place < body.count
            transfer.end(isShort ? TransferError(.truncated, "too short") : nil)
        case .dropped: transfer.end(TransferError(.dropped, "cut"))
        case .silent: break
        case .beside: return (transfer, body[place...])
        }
        return nil
    }

    private func time(for count: Int) -> Duration {
        let pace = PathPlan.paces[plan.pace]
        return pace > 0 ? .samples(Int64(count), at: pace) : .zero
    }

    /// Waits until the station requests the body again. Returns nil if it does not.
    private func nextTransfer() -> PathServer.Transfer? {
        for _ in 0..<Self.longestWait where server.transfers.count == answered && !witness.hasEnded {
            pass(.milliseconds(100))
        }
        guard server.transfers.count > answered else { return nil }
        // Transfers that were cancelled before they were answered are ignored.
        answered = server.transfers.count
        return server.transfers.last
    }

    /// The longest wait for a transfer, in tenths of a second. It is longer than the silence after which a connection
    /// counts as dropped plus the pause before the next connection.
    private static let longestWait = 200

    // MARK: Time

    private func pass(_ duration: Duration) {
        reactor.advance(by: duration)
        clock.withLock { $0 = reactor.now }
        guard reactor.now - lastTurn >= .milliseconds(100) else { return }
        lastTurn = reactor.now
        turnWriter()
    }

    private func turnWriter() {
        while true {
            var deadline = engine.turn(now: reactor.now)
            while let next = deadline, next <= reactor.now { deadline = engine.turn(now: reactor.now) }
            guard reactor.hasBeenTold else { return }
            reactor.settle()
        }
    }

    // MARK: Results

    /// All frames that the server has sent, connection by connection.
    var sentFrames: [[UInt8]] {
        var file: [UInt8] = []
        var frames: [[UInt8]] = []
        for transfer in server.transfers {
            // A resumed file counts as a single connection, because frames may span the boundary.
            let before = transfer.request.resumeAt.map { Array(file.prefix(Int(clamping: $0))) } ?? []
            frames += transfer.frames(continuing: before)
            file = before + transfer.taken
        }
        return frames
    }
}
