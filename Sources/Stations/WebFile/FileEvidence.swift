// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// Evidence on whether a station is really a file. A pure value.
struct FileEvidence {
    /// What a connection has brought.
    struct Body {
        /// The number of whole frames.
        var frames: Int64
        /// The playing time of these frames.
        var played: Duration
        /// The size in bytes.
        var bytes: Int64
        var extent: BodyExtent
        /// Whether the body was classified as a file by its head or its pace, and brought audio.
        var isResumable: Bool
        var pace: DeliveryPace
        /// Whether the server sent anything that only radio servers send.
        var isRadio = false
        var trace = BodyTrace()
        /// Whether the server named another station than the one that was heard before.
        var isRenamed = false
        /// Where the frames are in the programme; nil until they have joined it.
        var place: FramePlace?

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

        /// Whether all of the announced length has arrived, further ahead of real time than any burst. A shorter body
        /// may be an announcement, or come from a station that ends each connection.
        var standsInPlaceOfStation: Bool { extent == .whole && !isRadio && pace.isBeyondBurst }
    }

    /// What the end of a body proves.
    enum Verdict: Equatable {
        case none
        /// The programme is a file, and it is over.
        case wholeFile
        /// The list plays a file before the station, such as an advert. Its frames begin at this place; nil if they are
        /// those of the connection, and have not joined the programme.
        case opener(FramePlace?)
        /// A whole file is at the address where only a station is wanted. Its frames were delivered from this place on;
        /// nil if none is foreign to the programme.
        case found(FoundFile, from: FramePlace? = nil)
    }

    /// Whether the source has behaved as only a live station does: sent a radio server's header fields, or audio at
    /// real-time pace.
    private var isStation = false
    /// Whether a connection has brought audio faster than any station.
    private var wasFasterThanStations = false
    /// Whether audio has come without an announced length. Then a body that has one is not the station's.
    private var isEndless = false
    /// The last properly ended body of a first connection, and the programme's frame count at its end.
    private var last: (body: Body, frames: Int64)?
    /// The bodies that have proved to be files in place of the station, newest last.
    private var known: [(trace: BodyTrace, file: FoundFile)] = []

    /// Whether audio arrives faster than from any station, so that it may be paused like a file.
    func isFasterThanStations(_ pace: DeliveryPace) -> Bool { !isStation && pace.isBeyondBurst }

    /// Whether audio has arrived faster than from any station, on this connection or an earlier one.
    var outrunsStations: Bool { !isStation && wasFasterThanStations }

    /// Takes the pace of audio that has arrived over a connection as evidence.
    mutating func delivered(_ info: StationInfo, _ pace: DeliveryPace, _ now: MonotonicInstant) {
        if !info.hasLength { isEndless = true }
        if info.kind == .live, pace.isSteady(now) || !info.icyFields.isEmpty { isStation = true }
        if isFasterThanStations(pace) { wasFasterThanStations = true }
    }
}

// MARK: - In place of a station

extension FileEvidence {
    /// Whether a first connection's body that ended properly is a file that is no station's. Such a file comes twice
    /// with the same frames, or arrives faster than any station, or has an announced length although the station has
    /// none, or no field of a radio server although the station has some (`isRenamed`).
    func isFile(_ body: Body) -> Bool {
        guard body.frames > 0 else { return false }
        let isOfLength = body.extent == .whole && (isEndless || body.isRenamed && !body.isRadio)
        return isRepeated(body) || isOfLength || body.extent != .other && body.pace.isBeyondBurst
    }

    /// Whether a body has the frames of the previous one. A radio server whose source is away sends everybody the same
    /// burst, too.
    private func isRepeated(_ body: Body) -> Bool {
        let mayBeBurst = body.isRadio && body.pace.isMostlyBurst(body.played)
        return !mayBeBurst && last?.body.trace.isSame(as: body.trace) ?? false
    }

    /// Where the frames of a file begin: with those of the body before it if that has the same frames and nothing else
    /// was delivered since. `frames`: how many the programme has.
    private func place(of body: Body, _ frames: Int64) -> FramePlace? {
        guard isFile(body) else { return nil }
        guard isRepeated(body), let place = last?.body.place,
            [body.frames, 2 * body.frames].contains(frames - place.frame)
        else { return body.place }
        return place
    }

    /// Keeps the place at which the frames of a body have joined the programme. Those that were held may join it after
    /// their end.
    mutating func joined(_ trace: BodyTrace, at place: FramePlace?) {
        if last?.body.trace == trace, last?.body.place == nil { last?.body.place = place }
    }

    /// The known file that consists of these frames, or begins with them. Its audio is kept only once.
    func file(of trace: BodyTrace) -> FoundFile? {
        known.last { $0.trace.isSame(as: trace) || trace.follows($0.trace) }?.file
    }

    private mutating func know(_ trace: BodyTrace, _ file: FoundFile) {
        if known.count >= Self.mostKnown { known.removeFirst() }
        known.append((trace, file))
    }

    private static let mostKnown = 32
}

// MARK: - Verdicts

extension FileEvidence {
    /// Judges the end of a connection's body. A body that ``isFile(_:)`` must have joined the programme: only then is
    /// it known whether it continues the programme. `name`: the redacted address; `leadsOn`: whether the list goes on
    /// with another entry; `isAfterOpener`: whether all audio so far was files before the station; `isAll`: whether the
    /// programme has only the body's frames, some of them new; `reconnects`: how often the station was connected to
    /// again; `frames`: how many frames the programme has.
    mutating func verdict(
        at end: UpstreamEnd, of body: Body, _ role: ConnectionMachine.Role, from name: String,
        _ settings: StationSettings, leadsOn: Bool = false, isAfterOpener: Bool = false, isAll: Bool = false,
        reconnects: Int, frames: Int64, _ now: MonotonicInstant
    ) -> Verdict {
        guard end == .complete else { return .none }
        let file = FoundFile(at: name, length: body.bytes, playing: body.played)
        var isWhole = !settings.allowsFinite && body.standsInPlaceOfStation
        if role == .first {
            if body.place == nil, let known = self.file(of: body.trace) { return .found(known) }
            let place = place(of: body, frames)
            if settings.allowsFinite {
                isWhole =
                    isWholeFile(body, now, isFirstAudio: reconnects == 0, isAll: isAll)
                    || settings.endsWhereRepeated && bringsNothing(body, frames)
            }
            if body.frames > 0 { last = (body, frames) }
            if place?.before != nil {
                know(body.trace, file)
                return .found(file, from: place)
            }
            if leadsOn {
                if place?.isStart == true { return .opener(place) }
                let isStart = body.place?.isStart ?? isAfterOpener
                if isStart, isWhole || body.mayBeAdvert(now) { return .opener(body.place) }
            }
        }
        guard isWhole else { return .none }
        return settings.allowsFinite ? .wholeFile : .found(file)
    }

    /// Whether a body that ended properly was a whole file. True if it was classified as a file before its end, or if
    /// all of its announced length arrived faster than it plays, and no audio came without a length before. Without an
    /// announced length, the body must come from the station's first connection and be longer than any burst. If it is
    /// that long, audio that came before is no objection if it was the beginning of this body. False once the source
    /// has behaved as a live station.
    private func isWholeFile(_ body: Body, _ now: MonotonicInstant, isFirstAudio: Bool, isAll: Bool) -> Bool {
        guard body.frames > 0 else { return false }
        if body.isResumable { return true }
        guard !isStation, !body.isRadio, body.pace.isFast(now) else { return false }
        switch body.extent {
        case .whole: return !isEndless || body.pace.isBeyondBurst && isAll
        case .unannounced: return body.pace.isBeyondBurst && (isAll || isFirstAudio)
        case .other: return false
        }
    }

    /// Whether a body has the size of the previous one and brought no new frames: a file that is sent from its start
    /// each time.
    private func bringsNothing(_ body: Body, _ frames: Int64) -> Bool {
        guard body.frames > 0, !body.isRadio, body.extent != .other, let last else { return false }
        return (last.body.bytes, last.frames) == (body.bytes, frames)
    }
}
