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

    /// Whether it has behaved as only a live station does: sent a radio server's header fields, or audio at real-time
    /// pace.
    private var isStation = false
    /// Whether a connection has brought audio faster than any station.
    private var wasFasterThanStations = false
    /// When audio of a file last arrived.
    private var lastArrival: WallInstant?
    /// The break of a file that has not been resumed.
    private var lastBreak: Break?
    /// The last properly ended body that might be a file: its size in bytes, and the programme's frame count at its
    /// end.
    private var lastBody: (bytes: Int64, frames: Int64)?

    /// Whether audio arrives faster than from any station, so that it may be paused like a file.
    func isFasterThanStations(_ line: Line) -> Bool { !isStation && line.pace.isBeyondBurst }

    /// Whether audio has arrived faster than from any station, also over a connection that is over.
    var outrunsStations: Bool { !isStation && wasFasterThanStations }

    /// Notes that audio has arrived over a connection.
    mutating func delivered(_ line: Line, _ now: MonotonicInstant, _ wall: WallInstant) {
        guard let info = line.upstream.info else { return }
        if info.kind == .finite {
            lastArrival = wall
        } else if line.pace.isSteady(now) || !info.icyFields.isEmpty {
            isStation = true
        }
        if isFasterThanStations(line) { wasFasterThanStations = true }
    }

    /// Notes that a file broke off, or that an attempt to resume it failed. Keeps the first failure.
    mutating func brokeOff(_ failure: Failure, _ wall: WallInstant) {
        lastBreak = lastBreak ?? Break(at: lastArrival ?? wall, failure: failure)
    }

    /// Notes that a file continues where it broke off.
    mutating func wentOn() {
        lastBreak = nil
    }

    /// Whether a body that ended properly was a whole file. True if it was classified as a file from the start, or if
    /// all of its announced length arrived faster than it plays. Without an announced length, it must be the station's
    /// first connection and longer than any burst. False for what has already behaved as a live station.
    func isWholeFile(_ line: Line, _ now: MonotonicInstant, isFirstAudio: Bool) -> Bool {
        guard line.joint.frames > 0 else { return false }
        if line.upstream.isResumable { return true }
        guard !isStation, line.pace.isFast(now) else { return false }
        return line.upstream.isWhole || line.upstream.mayEndAnywhere && line.pace.isBeyondBurst && isFirstAudio
    }

    /// The size in bytes of a file that stands in the place of a station; nil if a body that ended properly is none. All
    /// of its announced length has arrived, and more of it at once than any burst. What is shorter may be a station that
    /// ends each connection, or its announcement.
    func lengthInPlaceOfStation(_ line: Line) -> Int64? {
        line.upstream.isWhole && line.pace.isBeyondBurst ? line.upstream.received : nil
    }

    /// Whether a properly ended body equals the one before and brought nothing new: a file that is sent from its start
    /// each time.
    mutating func isRepeatedFile(_ line: Line, frames: Int64) -> Bool {
        guard line.joint.frames > 0, line.upstream.isWhole || line.upstream.mayEndAnywhere else { return false }
        let body = (bytes: line.upstream.received, frames: frames)
        defer { lastBody = body }
        return lastBody.map { $0 == body } ?? false
    }

    /// Returns the break, once, when the file turns out to be a station and was never resumed.
    mutating func takeBreak() -> Break? { lastBreak.take() }
}
