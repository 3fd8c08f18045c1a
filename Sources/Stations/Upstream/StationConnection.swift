// SPDX-License-Identifier: MIT

import CurlClient
import Instants
import RadioCore
import RadioFormats

/// One of a station's connections, and the joint that connects it to the programme.
final class StationConnection {
    /// The number of the connection machine's attempt.
    let number: Int
    /// The station's address to which it connects, before any redirect.
    let mirror: String
    let upstream: Upstream
    let joint: Joint
    /// The entry of a list that the address is; nil without a list.
    var entry: StationInfo.Entry?
    /// Whether the address comes before the one that plays in their list.
    var isBetter = false
    /// Where the connection's frames are in the programme; nil until they have joined it.
    var place: FramePlace?
    /// What has been received of a file, so that it can be resumed; nil for a live station.
    var fileBody: FileBody?
    /// What has been received of a body whose pace may prove that it is a file; nil if its head rules that out.
    var supposedFile: FileBody?
    /// What the programme had left earlier, if this connection's station returns; else nil.
    var returnsTo: LeftProgramme?
    /// Tracks when the frames were at the server's edge.
    private(set) var clock = EdgeClock()
    /// The number of frames already reported to the connection machine as signs of life.
    private var framesReported: Int64 = 0
    /// The length of the burst at the connection's start; nil until known.
    var burst: Duration? { clock.burst }
    /// The station's usual pause between two deliveries; nil until known.
    var usualPause: Duration? { pauses.usual }

    private var isAnnounced = false
    /// When the first frame arrived.
    private(set) var began: MonotonicInstant?
    /// When the newest frames arrived, which may be before they were read.
    private(set) var lastArrival: MonotonicInstant?
    private var arrivalTaken: MonotonicInstant?
    /// Looks for holes among the frames that wait in the joint.
    private(set) var watch = HoleWatch()
    /// When the connection's first frame was due, from which ``watch`` counts delays; nil before the first silence.
    private(set) var due: MonotonicInstant?
    /// The frames before the newest delivery, and their playing time.
    private var measured = (frames: Int64(0), played: Duration.zero)
    private var wasPaused = false
    private var pauses = DeliveryPause()
    private(set) var pace = DeliveryPace()

    init(_ number: Int, mirror: String, _ upstream: Upstream, _ joint: Joint) {
        self.number = number
        self.mirror = mirror
        self.upstream = upstream
        self.joint = joint
        upstream.taker = joint
    }

    /// The server whose edge the frames come from, as far as addresses tell servers apart. A redirect's query may be a
    /// token for this connection.
    var edge: String { upstream.movedTo.map { String($0.prefix { $0 != "?" }) } ?? mirror }

    /// When the newest frames arrived, as a sign of life. Bytes that a pause held back say nothing of their server.
    func lastHeard(_ now: MonotonicInstant) -> MonotonicInstant { wasPaused ? now : lastArrival ?? now }

    /// Whether the initial burst is over, and the station's usual way of delivering has been observed.
    var hasBurstEnded: Bool { clock.isSettled && pauses.usual != nil }

    /// Prepares for the audio of a live stream. If it comes from a relay, its head states the age of the first frame.
    func takeAsLive(_ head: ResponseHead, _ now: MonotonicInstant) {
        fileBody = nil
        supposedFile = ResponseClassifier.mayBeFile(head) ? FileBody(from: upstream.offset, head) : nil
        if let age = head[AgeField.name.lowercased()].flatMap(AgeField.age) { clock.began(at: now - age) }
    }

    /// Marks the body as a file's, because it has arrived faster than a station's, if its head allows that.
    func takeAsFile() {
        if supposedFile != nil { fileBody = supposedFile.take() }
    }

    /// Whether reopening continues where the connection broke off.
    var isResumable: Bool { fileBody != nil && upstream.isRecognized }

    /// Handles the end of the body. Returns whether it is that of a file that is not over. A server may send less than
    /// the rest of a file, and without a length its end looks like the file's end.
    func breaksOff(isBroken: Bool) -> Bool {
        if isBroken { return isResumable }
        guard fileBody?.isCut == true else { return false }
        upstream.end(.failed(.cutFile(at: upstream.name)))
        return true
    }

    /// Measures pace, clock and pauses by frames that have arrived, whether or not they are held back. Until the burst
    /// is over and the joint is open, each delivery shows how the station delivers.
    func arrived(_ now: MonotonicInstant) {
        pace.arrived(joint.played, now)
        let now = min(now, max(upstream.lastArrival ?? now, lastArrival ?? began ?? .init(nanoseconds: .min)))
        if let lastArrival, now - lastArrival >= HoleWatch.shortestSilence {
            if !watch.isWatching { due = clock.arrivalOrigin }
            if !joint.isOpen {
                watch.begin(at: Position(frames: measured.frames), measured.played)
                joint.noteSilence(after: measured.frames)
            }
        }
        if let due, !joint.isOpen { watch.arrived(late: now - (due + joint.played), upTo: joint.played, now) }
        measured = (joint.frames, joint.played)
        lastArrival = now
        began = began ?? now
        if !mayBeFile { place?.before = nil }
        guard !hasBurstEnded || !joint.isOpen else { return }
        clock.arrived(upTo: joint.played, now: now)
        // Pauses within a burst say nothing about later ones.
        if clock.pacedSince == now { pauses = DeliveryPause() }
        pauses.delivered(now)
    }

    /// Whether the body may still prove to be a file.
    private var mayBeFile: Bool {
        upstream.info?.hasLength == true || pace.isBeyondBurst || joint.played <= DeliveryPace.longestBurst
    }

    /// The facts from which ``FileEvidence`` judges whether the body is a file.
    var body: FileEvidence.Body {
        FileEvidence.Body(
            frames: joint.frames, played: joint.played, bytes: upstream.received,
            extent: BodyExtent(upstream.received, upstream.head), isResumable: isResumable, pace: pace,
            isRadio: upstream.head.map(ResponseClassifier.hasICY) ?? false, trace: joint.trace,
            isRenamed: joint.proof == .renamed, place: place)
    }

    func pause() {
        wasPaused = true
        upstream.pause()
        pace.heldBack()
    }

    /// Returns the station's description once, as soon as its format is known; otherwise nil.
    func takeAnnouncement() -> StationInfo? {
        guard !isAnnounced, joint.hasFormat, var info = upstream.info else { return nil }
        isAnnounced = true
        if fileBody != nil { info.trim = upstream.infoFrame.flatMap { GaplessTrim($0) } }
        info.entry = entry
        return info
    }

    /// Whether the connection's station may turn out to be another one, so that it is not announced yet.
    var mayBeOther: Bool { joint.proof != .given && !joint.isDecided }

    /// Whether the programme changes to another station by this decision.
    func changesStation(by decision: Joint.Decision) -> Bool {
        if returnsTo != nil { return true }
        return if case .gap(let seam) = decision { joint.proof != .given && seam.repeats == nil } else { false }
    }

    /// The time at which a decision on held frames may become possible although nothing has arrived.
    var deadline: MonotonicInstant? { joint.deadline(clock) }

    /// Whether bytes have arrived since the last call. A frame may be released long after its bytes.
    func takeArrival() -> Bool {
        defer { arrivalTaken = lastArrival }
        return lastArrival != arrivalTaken
    }

    /// Whether frames have arrived since the last call. Bytes alone are no sign of life.
    func takeNewFrames() -> Bool {
        defer { framesReported = joint.frames }
        return joint.frames > framesReported
    }
}
