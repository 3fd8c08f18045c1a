// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import RadioFormats

/// A file at a station's address: it pauses while a sink has enough, and where it breaks off, it is requested again. It
/// ends without failure.
///
/// It takes over from a ``LiveStream`` the connection that has brought the file's first frames, and reopens the same
/// connection after a failure. Any other end of the connection is for a ``LiveStream`` to judge, which then takes this
/// source's place: at the proper end of the body, and if the server turns out to send no file.
final class WebFile {
    let run: StationRun
    private let file: StationConnection
    /// When audio last arrived.
    private var lastArrival: WallInstant

    init(_ run: StationRun, _ connection: StationConnection) {
        (self.run, file) = (run, connection)
        lastArrival = run.reactor.wallNow
    }

    private var trunk: Trunk { run.trunk }
}

// MARK: - Source

extension WebFile: StationSource {
    func begin() {
        run.source = self
        run.machine.pin()
        file.upstream.delegate = self
        delivered()
    }

    var connection: StationConnection? { file }
    var deadline: MonotonicInstant? { nil }
    var canPause: Bool { true }
}

// MARK: - Actions of the machine

extension WebFile {
    func carryOut(_ action: ConnectionMachine.Action) {
        // A file has no second connection, so any action is about this one.
        if action != .none { file.upstream.close() }
        switch action {
        case .none, .openHedge, .closeHedge, .promote, .wait: break
        case .connect(let attempt):
            // Deferred, because this method may run in a callback of the connection.
            run.reactor.defer { [weak self] in self?.reopen(attempt) }
        case .stop(let reason): run.end(reason)
        }
    }

    private func reopen(_ attempt: ConnectionMachine.Attempt) {
        guard run.machine.attempt == attempt, file.upstream.delegate === self else { return }
        run.tell(
            .connecting(url: AddressText(run.addresses.target(attempt).url).redacted, attempt: attempt.number))
        file.upstream.reopen(at: file.fileBody?.rest)
    }

    func timerFired() {
        let wasTrying = run.machine.attempt != nil
        let action = run.machine.tick(run.reactor.now)
        if wasTrying { report(action) }
        run.perform(action)
    }

    /// Reports that the file broke off, or that an attempt to resume it has failed.
    private func report(_ action: ConnectionMachine.Action) {
        guard action != .none, let failure = run.machine.lastFailure else { return }
        trunk.noteOutageOfFile(failure, since: lastArrival)
        if case .stop = action { return }
        trunk.hub.flush()
        run.tellFailure(failure)
    }
}

// MARK: - UpstreamDelegate

extension WebFile: UpstreamDelegate {
    func upstream(_ upstream: Upstream, _ event: UpstreamEvent) {
        // A receiver of the frames may have ended the programme.
        guard run.machine.attempt != nil, upstream.delegate === self else { return }
        let now = run.reactor.now
        switch event {
        case .delivered: return delivered()
        case .bodyIsOver(let isBroken):
            guard !file.breaksOff(isBroken: isBroken) else { return }
            // The response ended before the end of the bytes received earlier.
            if file.fileBody?.isComparing == true { return endAsNoFile() }
            upstream.flush()
            return self.upstream(upstream, .delivered)
        case .ended(.failed(let failure)): return failed(failure, now)
        case .ended(let end):
            trunk.endOutage()
            return giveBack(file).ended(file, .first, end, now)
        case .entered, .answered, .firstByte: run.note(event, .first, of: upstream, now)
        }
        run.armTimer()
    }

    private func delivered() {
        if let beginning = file.fileBody?.takeBeginning() { trunk.programme?.onBeginning?(beginning) }
        guard file.takeNewFrames() else { return }
        let clocks = run.reactor.readClocks()
        lastArrival = clocks.wall
        run.arrived(on: file, clocks.now)
        _ = run.machine.frames(.first, clocks.now)
        // A file that pauses leaves nothing out.
        trunk.arrived(clocks.now)
        trunk.hub.flush()
        run.noteNewAudio(clocks.now)
        run.armTimer()
    }

    private func failed(_ failure: Failure, _ now: MonotonicInstant) {
        guard let attempt = run.machine.attempt else { return }
        let failure = run.addresses.learn(from: .failed(failure), attempt, wasHeard: true, now)
        let action = run.machine.ended(.first, failure, now)
        report(action)
        run.perform(action)
    }
}

// MARK: - The rest of the file

extension WebFile {
    func upstream(_ upstream: Upstream, goesOnWith head: ResponseHead) -> Bool {
        switch file.fileBody?.resume(head) {
        case nil: return false
        case .compare: break
        case .complete:
            upstream.flush()
            self.upstream(upstream, .delivered)
            upstream.end(.complete)
        case .requestWhole:
            upstream.close()
            upstream.reopen(at: nil)
        case .otherwise: endAsNoFile()
        }
        return true
    }

    func upstream(_ upstream: Upstream, newIn bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        switch file.fileBody?.take(bytes) {
        case nil, .new: return bytes
        case .goesOn(let count):
            goOn()
            return UnsafeRawBufferPointer(rebasing: bytes.dropFirst(count))
        case .again(let isProgress):
            if isProgress { run.machine.goesOver(.first, run.reactor.now) }
            run.armTimer()
            return nil
        case .differs:
            endAsNoFile()
            return nil
        case .differsFromStart(let head, let body):
            goOnAsStation(head, body)
            return bytes
        }
    }

    /// Goes on with the file where it broke off.
    private func goOn() {
        run.machine.accepted(.first, finalURLDiffers: file.upstream.movedTo != nil, run.reactor.now)
        trunk.endOutage()
        run.tell(.live(again: true))
        run.armTimer()
    }
}

// MARK: - No file

extension WebFile {
    /// Leaves the programme to a live stream, which goes on with the connection.
    private func giveBack(_ connection: StationConnection) -> LiveStream {
        run.machine.unpin()
        let stream = LiveStream(run, continuing: connection)
        trunk.programme?.replaceSource(by: stream)
        return stream
    }

    /// Ends the connection because it does not bring the rest of the file.
    private func endAsNoFile() {
        guard turnOutLive() else { return }
        file.upstream.close()
        file.fileBody = nil
        giveBack(file).ended(file, .first, .failed(.noFile(at: file.upstream.name)), run.reactor.now)
    }

    /// Leaves the programme to a live stream whose audio is the response to the request for the rest, from its first
    /// byte on, so that nothing is lost.
    private func goOnAsStation(_ head: ResponseHead, _ body: [UInt8]) {
        guard turnOutLive() else { return }
        let failure = Failure.noFile(at: file.upstream.name)
        trunk.noteOutage(failure)
        run.tell(.failed(failure, retryIn: .zero))
        // A notice handler may have ended the programme.
        guard run.machine.attempt != nil else { return }
        let connection = StationConnection(file.number, mirror: file.mirror, file.upstream, trunk.makeJoint())
        _ = giveBack(connection)
        file.upstream.begin(anewWith: head, body)
        // These first bytes have not come to it.
        connection.supposedFile = nil
    }

    /// Makes the supposed file a live station, because it broke off and was not resumed. What was received of it is
    /// kept, including its last frame if that is whole. Returns false if a receiver of it has ended the programme.
    private func turnOutLive() -> Bool {
        file.upstream.flush()
        trunk.hub.flush()
        guard run.machine.attempt != nil else { return false }
        if var info = trunk.hub.info {
            info.kind = .live
            trunk.hub.announce(info)
        }
        trunk.programme?.dropPauses()
        return true
    }
}
