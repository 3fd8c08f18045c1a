// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport

/// A station with randomly drawn troubles, and the frames that it must have sent. Times are in seconds since the
/// beginning.
struct DrawnStation: Sendable, CustomStringConvertible {
    struct Trouble: Sendable {
        enum Kind: CaseIterable, Sendable {
            /// The connection is reset in the middle of a frame; the next connection is good.
            case cut
            /// Connections are reset, and refused for a while.
            case gone
            /// Connections are reset, and for a while so are new ones.
            case resetting
            /// For a while no connection delivers anything, and then everything is delivered at once.
            case lull
            /// Like `lull`, but the audio that aired meanwhile is never delivered.
            case hole
            /// The connection falls silent for good; a new connection is good.
            case silence
            /// After a reset, the address answers with something else for a while: a page, an error, or noise under an
            /// audio type.
            case page, error, noise
        }
        let kind: Kind
        let from: Double
        let to: Double
    }

    /// How many seconds the station has sent before the first connection.
    static let onAir = 40.0
    /// The size of the burst in bytes: 2.7 seconds.
    static let burst = 16_000
    /// The time for which a station may still be unavailable after its trouble is over: the time until it is tried
    /// again and a gap is certain.
    static let patience = 7.0
    private static let block = 1_400
    /// How long ``VirtualOrigin`` takes to answer.
    private static let answerLatency = 0.005

    let name: String
    let broadcast: Broadcast
    let troubles: [Trouble]
    /// The span during which the programme is removed.
    let absence: Range<Double>?

    init(_ number: Int, length: Double, isTroubled: Bool, _ random: inout SplitMix64) {
        name = "s\(number)"
        broadcast = Broadcast([.music(.seconds(Self.onAir + length + 10))], MPEGShape(48), seed: UInt64(number) + 1)
        troubles = isTroubled ? Self.troubles(until: length, &random) : []
        // Programmes are never removed at the time at which a use begins or ends, so the order of these events is
        // certain.
        let removed = Double(Int.random(in: 150..<450, using: &random)) / 10 + 0.075
        let away = Double(Int.random(in: 10..<80, using: &random)) / 10
        absence = Int.random(in: 0..<3, using: &random) == 0 ? removed..<(removed * 40 + away * 40).rounded() / 40 : nil
    }

    private static func troubles(until end: Double, _ random: inout SplitMix64) -> [Trouble] {
        var troubles: [Trouble] = []
        var time = Double.random(in: 4..<12, using: &random)
        while time < end {
            let kind = Trouble.Kind.allCases[Int.random(in: 0..<Trouble.Kind.allCases.count, using: &random)]
            let length =
                switch kind {
                case .cut, .silence: 0.0
                case .gone, .resetting, .page, .error, .noise: Double.random(in: 0.5..<8, using: &random)
                case .lull, .hole: Double.random(in: 0.5..<12, using: &random)
                }
            troubles.append(Trouble(kind: kind, from: time, to: time + length))
            time += length + .random(in: 6..<16, using: &random)
        }
        return troubles
    }

    var description: String {
        "\(name) \(troubles.map { "\($0.kind) \($0.from)…\($0.to)" })" + (absence.map { ", removed \($0)" } ?? "")
    }

    private func isAbsent(at time: Double) -> Bool {
        troubles.contains { $0.absence != nil && $0.from <= time && time < $0.to }
    }

    /// Whether the station has a trouble between two times, or had one that ended shortly before them.
    func isTroubled(from: Double, to: Double) -> Bool {
        troubles.contains { $0.from - 0.5 <= to && from <= $0.to + Self.patience }
    }
}

extension DrawnStation {
    /// Whether frames may be missing between two places without a gap: MPEG audio does not show that a server left out
    /// frames within an open connection.
    func mayHide(_ missing: Range<Int>) -> Bool {
        let (from, to) = (aired(missing.lowerBound), aired(missing.upperBound))
        return troubles.contains { $0.kind == .hole && $0.from - 0.5 <= to && from <= $0.to + 0.5 }
    }

    /// Whether the server may have left out frames before this one without showing it.
    func hasHidden(before place: Int) -> Bool {
        troubles.contains { $0.kind == .hole && $0.from < aired(place) }
    }

    /// The time at which a frame aired.
    func aired(_ place: Int) -> Double { broadcast.frames[place].start.inSeconds - Self.onAir }
}

// MARK: - The server

extension DrawnStation {
    var script: LiveScript {
        var script = LiveScript { [self] visit in answer(at: visit.time.inSeconds) }
        script.absences = troubles.compactMap(\.absence)
        script.onAir = .seconds(Self.onAir)
        return script
    }

    private func answer(at time: Double) -> LiveScript.Answer {
        let trouble = troubles.first { $0.from <= time && time < $0.to }
        switch trouble?.kind {
        case .page: return .text("<!DOCTYPE html><html><body>Back soon</body></html>", type: "text/html")
        case .error: return .status(503)
        case .noise:
            var random = SplitMix64(seed: UInt64(time * 1_000))
            return .response(LiveHead(200, "OK", ["Content-Type": "audio/mpeg"]), body: random.bytes(12_000))
        case .cut, .gone, .resetting, .lull, .hole, .silence, nil:
            return .stream(
                LiveStream(broadcast, burst: Self.burst, faults: troubles.flatMap { $0.faults(ofConnectionAt: time) }))
        }
    }
}

extension DrawnStation.Trouble {
    fileprivate var absence: LiveScript.Absence? {
        switch kind {
        case .gone: .init(.seconds(from), for: .seconds(to - from), .gone)
        case .resetting: .init(.seconds(from), for: .seconds(to - from), .resetting)
        case .cut, .lull, .hole, .silence, .page, .error, .noise: nil
        }
    }

    fileprivate func faults(ofConnectionAt time: Double) -> [LiveFault] {
        let (begin, end) = (Duration.seconds(from - time), Duration.seconds(to - time))
        switch kind {
        case .gone: return []
        case .cut, .resetting, .page, .error, .noise: return begin > .zero ? [.inFrame(after: begin, .reset)] : []
        case .silence: return begin > .zero ? [.at(begin, .stall)] : []
        case .lull: return end > .zero ? [.at(max(.zero, begin), .stall), .at(end, .resume)] : []
        case .hole: return end > .zero ? [.at(max(.zero, begin), .stall), .at(end, .resumeLive)] : []
        }
    }
}

// MARK: - The frames that were sent

extension DrawnStation {
    /// Frames that one connection has sent whole.
    struct Sent {
        /// The time at which the connection was opened.
        let time: Double
        let places: Range<Int>
    }

    /// The frames that could be received. The two first and the two last frames that a connection has sent are left
    /// out, because they may be torn or uncertain.
    func frames(sentBy log: OriginLog, began: MonotonicInstant) -> [Sent] {
        var frames: [Sent] = []
        for (number, accept) in log.accepts.enumerated() where accept.host == name {
            let time = (accept.at - began).inSeconds
            guard case .stream = answer(at: time), !isAbsent(at: time) else { continue }
            let end = accept.ended.map { ($0 - began).inSeconds }
            // The connection was closed before the answer came.
            if let end, end - time < Self.answerLatency { continue }
            let faults = log.faults.filter { $0.connection == number }
            let ranges = sent(from: time, faults, to: end, began)
            frames += ranges.map { Sent(time: time, places: $0.dropFirst(2).dropLast(2)) }
        }
        return frames
    }

    private func sent(
        from time: Double, _ faults: [OriginLog.Fault], to end: Double?, _ began: MonotonicInstant
    ) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        let first = place(ofByteAtOrAfter: edge(at: time) - Self.burst)
        var open: Int? = first
        func close(at place: Int) {
            guard let from = open, place > from else { return }
            ranges.append(from..<place)
            open = nil
        }
        for fault in faults {
            switch fault.effect {
            case .resume, .resumeAt:
                // The stream continues as if nothing had happened.
                let last = ranges.last?.upperBound == fault.place ? ranges.popLast() : nil
                open = last?.lowerBound ?? max(first, fault.place)
            case .resumeLive: open = max(first, place(ofByteAtOrAfter: edge(at: (fault.at - began).inSeconds)))
            case .close, .reset, .stall, .trickle, .metadataOnly:
                close(at: fault.place)
                open = nil
            }
        }
        close(at: end.map { broadcast.place(ofByte: edge(at: $0)) } ?? broadcast.frames.count)
        return ranges
    }

    /// How many bytes of the programme the server can have sent by a time.
    private func edge(at time: Double) -> Int {
        broadcast.edge(at: .seconds(Self.onAir + time)) / Self.block * Self.block
    }

    private func place(ofByteAtOrAfter offset: Int) -> Int {
        let place = broadcast.place(ofByte: max(0, offset))
        return broadcast.byteRange(of: place..<place + 1).lowerBound >= offset ? place : place + 1
    }
}
