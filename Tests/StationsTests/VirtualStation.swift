// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// A station in virtual time, on the test's own thread, with a sink that records everything and compares the delivered
/// frames with the programme.
final class VirtualStation {
    let reactor: ManualReactor
    let origin: VirtualOrigin
    let station: Programme
    let sink: Sink
    private let began: MonotonicInstant

    final class Sink: StreamSink {
        let tolerance: Duration?
        let isPatient: Bool
        var heard = Heard()
        var meddle: ((StreamEvent) -> Void)?
        fileprivate var frames: HeardFrames
        /// What a recorder would have kept of it.
        fileprivate var recording: AuditedRecording
        private let reactor: ManualReactor
        private let began: MonotonicInstant

        init(
            _ reactor: ManualReactor, tolerance: Duration? = nil, isPatient: Bool = false,
            hearing frames: HeardFrames = HeardFrames(of: .none)
        ) {
            (self.reactor, self.tolerance, self.isPatient, self.frames) = (reactor, tolerance, isPatient, frames)
            began = reactor.now
            recording = AuditedRecording(frames)
        }

        func receive(_ event: StreamEvent) {
            heard.add(event, at: reactor.now, reactor.wallNow)
            if case .chunk(let chunk) = event { frames.add(chunk) }
            recording.add(event, at: reactor.now - began)
            meddle?(event)
        }
    }

    /// Creates a station whose server answers for every host, or whose servers are `hosts`. It is not started.
    init(
        _ script: LiveScript? = nil, hosts: [String: LiveScript] = [:],
        hearing frames: HeardFrames = HeardFrames(of: .none), urls: [String] = ["http://radio.test/live"],
        seed: UInt64 = 1, tolerance: Duration? = .seconds(1) / 3, isPatient: Bool = false,
        reactor: ManualReactor = ManualReactor(),
        group: StationGroup? = nil, _ change: (inout StationSettings) -> Void = { _ in }
    ) {
        self.reactor = reactor
        began = reactor.now
        origin = script.map { VirtualOrigin($0, reactor: reactor) } ?? VirtualOrigin(hosts: hosts, reactor: reactor)
        var settings = StationSettings(urls: urls, userAgent: "Aircheck/test", seed: seed)
        change(&settings)
        station = Programme(settings: settings, client: origin, reactor: reactor, group: group)
        sink = Sink(reactor, tolerance: tolerance, isPatient: isPatient, hearing: frames)
        station.onNotice = { [sink] in sink.heard.notices.append($0) }
        station.hub.attach(sink)
    }

    /// Starts a station whose connections receive what the test passes them: see ``connection(_:)``. The sink waits
    /// without limit, so the last frame waits for its successor.
    static func byHand(_ change: (inout StationSettings) -> Void = { _ in }) -> VirtualStation {
        let station = VirtualStation(LiveScript(.byHand), urls: ["http://radio.test/"], tolerance: nil, change)
        station.startAtOnce()
        return station
    }

    /// Starts the station at a server to which every connection takes no time.
    func startAtOnce() {
        origin.answersAtOnce()
        station.start()
        reactor.settle()
    }

    /// Starts the station, lets it run for `length`, and ends it.
    func run(for length: Duration) -> Outcome {
        station.start()
        reactor.advance(by: length)
        return end()
    }

    /// Stops the station, and returns what happened.
    func end() -> Outcome {
        let snapshot = station.snapshot
        station.stop()
        reactor.advance(by: .seconds(1))
        return Outcome(
            report: sink.frames.report, recording: sink.recording, heard: heard, snapshot: snapshot, log: origin.log,
            began: began)
    }

    var heard: Heard { sink.heard }

    /// The connection with this number, which the test answers.
    func connection(_ number: Int) throws -> VirtualTransfer {
        try #require(number < origin.byHand.count ? origin.byHand[number] : nil)
    }

    /// The host and target of each request.
    var requests: [String] { origin.log.requests.map { origin.log.accepts[$0.connection].host + $0.target } }

    /// The time of each request, counted from the start.
    var requestTimes: [Duration] { origin.log.requests.map { $0.at - began } }

    /// The time from the start to the delivery of the first frame.
    var firstFrame: Duration? { heard.firstFrame.map { $0 - began } }

    struct Outcome: CustomStringConvertible {
        let report: FrameReport
        fileprivate let recording: AuditedRecording
        let heard: Heard
        let snapshot: StationSnapshot
        let log: OriginLog
        fileprivate let began: MonotonicInstant

        /// What a recorder has once it has put in what was found later.
        var healed: HealedRecording { HealedRecording(recording) }

        /// What is wrong with a recording of this programme, all of whose frames differ: frames that are missing, come
        /// twice or out of order, and what is claimed of them. `isSent`: whether servers sent it with the same bytes,
        /// so that what they sent has to be in the recording, too.
        func findings(in programme: Broadcast, isSent: Bool = true) -> [AuditFinding] {
            let sent = isSent ? SentFrames.all(of: log, programme, since: began) : []
            return RecordingJudge(recording, of: programme, sent: sent).findings
        }

        /// Whether every frame was delivered once, in order and without a gap.
        var isWhole: Bool { report.exactStretch != nil && heard.gaps.isEmpty }

        /// Whether a recording has every frame once, in order and without a gap.
        var isRecordedWhole: Bool {
            let places = healed.frames.map(\.place)
            let follow = zip(places, places.dropFirst()).allSatisfy { $0 != nil && $1 == $0.map { $0 + 1 } }
            return follow && healed.gaps.isEmpty
        }

        var description: String {
            "\(report); gaps \(heard.gaps), splices \(heard.splices.count), stretches \(heard.stretches), reconnects"
                + " \(snapshot.reconnects), hedges \(snapshot.hedges), accepts \(log.accepts.count),"
                + " faults \(log.faults.count)"
        }
    }
}

extension Broadcast {
    /// A programme without any frame.
    fileprivate static let none = Broadcast([])
}
