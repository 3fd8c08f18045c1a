// SPDX-License-Identifier: MIT

import Analysis
import EventLoop
import Instants
package import RadioCore
package import RadioFormats
package import Stations

/// How to probe a programme.
package struct ProbeSpec: Sendable {
    /// The maximum duration, counted from the first audio; until then, the programme's own patience applies.
    package var limit: Duration

    package init(limit: Duration = .seconds(12)) {
        self.limit = limit
    }
}

extension ProbeSpec: UseSpec {
    package func makeUse(_ context: UseContext) -> any Use { ProbeUse(self, context) }
    package func outcome(_ failure: Failure) -> any UseOutcome { ProbeResult(failure: failure) }
}

/// The findings about a programme.
package struct ProbeResult: UseOutcome {
    package var info: StationInfo?
    package var format: StreamFormat?
    package var bitsPerSecond: Double?
    /// CBR, ABR or VBR.
    package var bitRateMode: String?
    package var title: String?
    /// How much audio arrived at once on connect; nil if the probe was too short, or the source is a file.
    package var burst: Duration?
    package var playlists: [String] = []
    /// See ``StationSnapshot/segments``.
    package var segments: SegmentFacts?
    /// See ``StationSnapshot/behind``.
    package var behind: Duration?
    /// How much audio the figures are based on.
    package var seen = Duration.zero
    package var failure: Failure?

    /// Creates a result without findings.
    package init(failure: Failure?) {
        self.failure = failure
    }
}

/// A probe of a programme.
final class ProbeUse {
    private let host: ProgrammeHost
    private let reactor: any Reactor
    private let onEnd: (any UseOutcome) -> Void
    private let sink = StationProbe()
    private let timer: any ReactorTimer
    private let limit: Duration
    private var programme: Programme?
    /// The failure that ended the probe and is its result; nil if there was none.
    private var answer: Failure?
    private var hasEnded = false

    private static let nothing = Failure(
        .noAudio, "no audio arrived", remedy: "check the address in a browser or another player")

    init(_ spec: ProbeSpec, _ context: UseContext) {
        (host, reactor, onEnd) = (context.host, context.reactor, context.onEnd)
        limit = spec.limit
        let sink = sink
        timer = reactor.makeTimer { sink.finish() }
    }

    private func finished() {
        guard !hasEnded else { return }
        hasEnded = true
        timer.cancel()
        // Deferred: the sink calls from inside the programme's delivery, which must return before the connection
        // closes.
        reactor.defer { [self] in
            let snapshot = programme?.snapshot
            programme?.hub.detach(sink)
            host.leave(self)
            let silence = sink.format == nil ? snapshot?.lastFailure ?? Self.nothing : nil
            var result = ProbeResult(failure: answer ?? sink.failure ?? silence)
            result.info = sink.info
            // Even a server that offers no ranges may send a file, which then arrives faster than any station. A
            // shorter body may be an announcement, or a live station that ends its connections.
            if snapshot?.outrunsStations == true { result.info?.kind = .finite }
            result.format = sink.format
            result.bitsPerSecond = sink.meter.bitsPerSecond
            result.bitRateMode = sink.meter.mode?.rawValue
            result.title = sink.title
            result.burst = snapshot?.burst
            (result.segments, result.behind) = (snapshot?.segments, snapshot?.behind)
            result.playlists = snapshot?.playlists ?? []
            result.seen = sink.seen
            onEnd(result)
        }
    }
}

extension ProbeUse: Use {
    func begin() {
        sink.onDone = { [weak self] in self?.finished() }
        host.join(self)
        host.claim(self)
    }

    func end() { sink.finish() }

    var snapshot: (any UseSnapshot)? { nil }
}

extension ProbeUse: ProgrammeUser {
    func programmeBegan(_ programme: Programme) {
        guard self.programme == nil else { return }
        self.programme = programme
        programme.hub.attach(sink)
        if programme.hub.hasAudio { timer.arm(at: reactor.now + limit) }
    }

    func programmeSaid(_ notice: StationNotice) {
        switch notice {
        case .live(let again): if !again { timer.arm(at: reactor.now + limit) }
        // A person is waiting for the result. If trying again would only lead to the same failure, the failure is the
        // result.
        case .failed(let failure, _) where Self.isFinal(failure) && hasOneAddress:
            answer = failure
            sink.finish()
        default: break
        }
    }

    /// Whether trying again for some seconds would be useless, because the server has answered, or because nothing
    /// listens at the address.
    private static func isFinal(_ failure: Failure) -> Bool {
        failure.failureClass.isAnswer || [.refused, .unreachable].contains(failure.failureClass)
    }

    func programmeEnded(_ failure: Failure?) {
        answer = answer ?? failure
        sink.finish()
    }

    private var hasOneAddress: Bool { programme?.snapshot.addresses == 1 }
}
