// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import RadioFormats

/// What another Aircheck, which relays the programme, still has of a span of time, as frames that may be missing.
///
/// Its audio comes as fast as it can be sent, and then as it is on air. What comes fast is offered together, because
/// what is put into a gap must also fit behind it; then once a second, until no gap is open any more.
final class RelayedPast {
    private let url: String
    private let span: Range<WallInstant>
    private let context: HLSContext
    private let number: Int
    private let deadline: MonotonicInstant
    private let done: () -> Void
    private var fetch: Fetch?
    private var requests = 0
    private var framer = PartFramer(name: nil)
    private var marker = FrameMarker()
    private var format: StreamFormat?
    /// What has come since the last offer.
    private var parts = StreamParts()
    /// When it was last decided whether to offer that, and how much it was.
    private var looked: (at: MonotonicInstant, length: Duration)
    /// How much of the answer has been read.
    private var read = 0
    /// When the next frame was on air; nil before the answer.
    private var next: WallInstant?

    static let patience = Duration.seconds(15)
    private static let longest = 16 << 20
    private static let interval = Duration.seconds(1)
    /// Audio that is on air comes no faster in an interval.
    private static let live = Duration.seconds(3)
    private static let mostTogether = 4 << 20
    /// The connection ends where the other one lacks audio, too.
    private static let mostRequests = 8

    /// Starts the request. `url` is the programme's address there, and `number` tells its frames from those of other
    /// sources. Calls `done` once, unless cancelled, and never inside this call.
    init(_ url: String, _ span: Range<WallInstant>, _ context: HLSContext, number: Int, done: @escaping () -> Void) {
        (self.url, self.span, self.context, self.number, self.done) = (url, span, context, number, done)
        looked = (context.run.reactor.now, .zero)
        deadline = looked.at + Self.patience
        ask(from: span.lowerBound)
    }

    func cancel() { fetch?.cancel() }

    /// Whether a server that has sent this head is an Aircheck that relays a programme.
    static func isSent(with head: ResponseHead) -> Bool { head[AirTimeField.name.lowercased()] != nil }

    /// The address for what was on air from an instant on.
    static func address(_ url: String, from instant: WallInstant) -> String {
        let base = url.prefix { $0 != "#" }
        return "\(base)\(base.contains("?") ? "&" : "?")from=\(CivilTime(instant, utcOffset: 0).rfc3339)"
    }

    private func ask(from instant: WallInstant) {
        requests += 1
        (framer, marker, format, read, next) = (PartFramer(name: nil), FrameMarker(), nil, 0, nil)
        var request = context.request(
            for: url, allowsPrivateAddress: context.run.settings.allowsPrivateAddress)
        request.url = Self.address(url, from: instant)
        request.keepsConnection = false
        fetch = Fetch(
            request, limit: Self.longest, deadline: deadline, client: context.run.client,
            reactor: context.run.reactor, isEnough: { [weak self] in self?.take($0) ?? true },
            done: { [weak self] in self?.ended($0) })
    }

    /// Takes what has come of the answer. Returns whether that is enough.
    private func take(_ response: Fetch.Response) -> Bool {
        guard (200..<300).contains(response.head.status),
            let start = response.head[AirTimeField.name.lowercased()].flatMap(AirTimeField.instant)
        else { return true }
        if next == nil {
            next = start
            framer = PartFramer(contentType: response.head["content-type"], name: url)
        }
        response.body[read...].withUnsafeBytes { framer.push($0, take) }
        read = response.body.count
        let now = context.run.reactor.now
        guard now - looked.at >= Self.interval else { return false }
        let isLive = parts.duration - looked.length < Self.live
        if isLive || parts.size >= Self.mostTogether { offer() }
        looked = (now, parts.duration)
        return isEnough
    }

    private func take(_ output: PartFramer.Output) -> Bool {
        switch output {
        case .part(let part):
            if case .format(let format) = part {
                marker.begin(format)
                self.format = format
            }
            parts.append(part)
        case .frames(var batch, let bytes):
            marker.mark(&batch, bytes)
            parts.append(batch, bytes)
        case .skipped, .wrongChecksum: break
        }
        return true
    }

    private var isEnough: Bool { !context.run.trunk.hasOpenGaps || next.map { $0 >= span.upperBound } ?? true }

    private func offer() {
        guard let format, parts.frames > 0 else { return }
        next = next.map { $0 + parts.duration }
        var frames = SpareFrames(run: requests, format, parts, source: "another Aircheck")
        frames.isFromElsewhere = true
        parts = StreamParts()
        context.run.trunk.offer(frames, from: number)
    }

    private func ended(_ result: Result<Fetch.Response, Fetch.Problem>) {
        framer.finish(take)
        offer()
        guard case .success = result, let next, marker.played > .zero, !isEnough, requests < Self.mostRequests
        else { return done() }
        ask(from: next)
    }
}
