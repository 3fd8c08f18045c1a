// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// Evidence on whether a station is really a file, and where that file broke off. A pure value.
struct FileEvidence {
    /// The wall-clock time at which audio stopped, and the cause.
    struct Break {
        var at: WallInstant
        var failure: Failure
    }

    /// What a connection has brought.
    struct Body {
        /// The number of whole frames.
        var frames: Int64
        /// The playing time of these frames.
        var played: Duration
        /// The size in bytes.
        var bytes: Int64
        var extent: BodyExtent
        /// Whether the body was classified as a file from the start, and brought audio.
        var isResumable: Bool
        var pace: DeliveryPace
        /// Whether the server sent anything that only radio servers send.
        var isRadio = false
        var trace = BodyTrace()

        /// Whether a list may play the body before the station: it ends, and no radio server sent it. Without an
        /// announced length, a body that is long, or that no longer arrives faster than it plays, is a station whose
        /// connection ended.
        func mayBeAdvert(_ now: MonotonicInstant) -> Bool {
            guard frames > 0, !isRadio else { return false }
            switch extent {
            case .whole: return true
            case .unannounced: return played <= DeliveryPace.longestBurst && pace.isFast(now)
            case .other: return false
            }
        }
    }

    /// What the end of a body proves.
    enum Verdict: Hashable {
        case none
        /// The programme is a file, and it is over.
        case wholeFile
        /// A whole file is at the address where only a station is wanted.
        case found(FoundFile)
    }

    /// Whether the source has behaved as only a live station does: sent a radio server's header fields, or audio at
    /// real-time pace.
    private var isStation = false
    /// Whether a connection has brought audio faster than any station.
    private var wasFasterThanStations = false
    /// When audio of a file last arrived.
    private var lastArrival: WallInstant?
    /// The break of a file that has not been resumed.
    private var lastBreak: Break?
    /// Whether audio has come without an announced length. Then a body that has one is not the station's.
    private var isEndless = false
    /// The last properly ended body of a first connection, and where its frames are.
    private var lastEnded: (trace: BodyTrace, place: FramePlace)?
    /// The bodies that have proved to be files in place of the station, newest last.
    private var known: [(trace: BodyTrace, file: FoundFile)] = []
    /// The last properly ended body that might be a file: its size in bytes, and the programme's frame count at its
    /// end.
    private var lastBody: (bytes: Int64, frames: Int64)?

    /// Whether audio arrives faster than from any station, so that it may be paused like a file.
    func isFasterThanStations(_ pace: DeliveryPace) -> Bool { !isStation && pace.isBeyondBurst }

    /// Whether audio has arrived faster than from any station, on this connection or an earlier one.
    var outrunsStations: Bool { !isStation && wasFasterThanStations }

    /// Notes that audio has arrived over a connection.
    mutating func delivered(_ info: StationInfo, _ pace: DeliveryPace, _ now: MonotonicInstant, _ wall: WallInstant) {
        if !info.hasLength { isEndless = true }
        if info.kind == .finite {
            lastArrival = wall
        } else if pace.isSteady(now) || !info.icyFields.isEmpty {
            isStation = true
        }
        if isFasterThanStations(pace) { wasFasterThanStations = true }
    }

    /// Notes that a file broke off, or that an attempt to resume it failed. Keeps the first failure.
    mutating func brokeOff(_ failure: Failure, _ wall: WallInstant) {
        lastBreak = lastBreak ?? Break(at: lastArrival ?? wall, failure: failure)
    }

    /// Notes that a file continues where it broke off.
    mutating func continued() {
        lastBreak = nil
    }

    /// Returns the break, once, when the file turns out to be a station and was never resumed.
    mutating func takeBreak() -> Break? { lastBreak.take() }
}

// MARK: - In place of a station

extension FileEvidence {
    /// Judges a first connection's body that ended properly. Returns where the frames of a file are that is no station's;
    /// nil if it may be a station's. A file ends twice after the same frames, or arrives faster than any station, or has
    /// an announced length although the station has none, or no field of a radio server although the station has some
    /// (`isRenamed`). A radio server whose source is away sends everybody the same burst, too.
    mutating func file(_ body: Body, at place: FramePlace, isRenamed: Bool) -> FramePlace? {
        guard body.frames > 0 else { return nil }
        let last = lastEnded
        lastEnded = (body.trace, place)
        let mayBeBurst = body.isRadio && body.pace.isMostlyBurst(body.played)
        if let last, !mayBeBurst, last.trace.isSame(as: body.trace) { return last.place }
        let isOfLength = body.extent == .whole && (isEndless || isRenamed && !body.isRadio)
        return isOfLength || body.extent != .other && body.pace.isBeyondBurst ? place : nil
    }

    /// The known file that consists of these frames, or begins with them.
    func file(of trace: BodyTrace) -> FoundFile? {
        known.last { $0.trace.isSame(as: trace) || trace.follows($0.trace) }?.file
    }

    /// Keeps a file in mind, so that its audio is kept only once.
    mutating func know(_ trace: BodyTrace, _ file: FoundFile) {
        if known.count >= Self.mostKnown { known.removeFirst() }
        known.append((trace, file))
    }

    private static let mostKnown = 32
}

// MARK: - Verdicts

extension FileEvidence {
    /// Judges the end of a connection's body. `name`: the redacted address; `reconnects`: how often the station was
    /// connected to again; `frames`: how many frames the programme has.
    mutating func verdict(
        at end: UpstreamEnd, of body: Body, _ role: ConnectionMachine.Role, from name: String,
        _ settings: StationSettings, reconnects: Int, frames: Int64, _ now: MonotonicInstant
    ) -> Verdict {
        guard end == .complete else { return .none }
        guard settings.allowsFinite else {
            return standsInPlaceOfStation(body)
                ? .found(FoundFile(at: name, length: body.bytes, playing: body.played)) : .none
        }
        guard role == .first else { return .none }
        if isWholeFile(body, now, isFirstAudio: reconnects == 0) { return .wholeFile }
        return settings.endsWhereRepeated && isRepeatedFile(body, frames: frames) ? .wholeFile : .none
    }

    /// Whether a body that ended properly was a whole file. True if it was classified as a file from the start, or if
    /// all of its announced length arrived faster than it plays, and no audio came without a length before. Without an announced length, the body must come from
    /// the station's first connection and be longer than any burst. False once the source has behaved as a live
    /// station.
    private func isWholeFile(_ body: Body, _ now: MonotonicInstant, isFirstAudio: Bool) -> Bool {
        guard body.frames > 0 else { return false }
        if body.isResumable { return true }
        guard !isStation, !body.isRadio, body.pace.isFast(now) else { return false }
        switch body.extent {
        case .whole: return !isEndless
        case .unannounced: return body.pace.isBeyondBurst && isFirstAudio
        case .other: return false
        }
    }

    /// Whether a body that ended properly is a file in the place of a station: all of its announced length has arrived,
    /// further ahead of real time than any burst. A shorter body may be an announcement, or come from a station that
    /// ends each connection.
    private func standsInPlaceOfStation(_ body: Body) -> Bool {
        body.extent == .whole && !body.isRadio && body.pace.isBeyondBurst
    }

    /// Whether a properly ended body has the size of the previous body and brought no new frames: a file that is sent
    /// from its start each time.
    private mutating func isRepeatedFile(_ body: Body, frames: Int64) -> Bool {
        guard body.frames > 0, !body.isRadio, body.extent != .other else { return false }
        let body = (bytes: body.bytes, frames: frames)
        defer { lastBody = body }
        return lastBody.map { $0 == body } ?? false
    }
}
