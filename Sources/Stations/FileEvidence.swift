// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// The evidence so far that a station is a file, or that it is none, and where a file broke off: a pure value.
struct FileEvidence {
    /// Where audio stopped, on the wall clock, and why.
    struct Break {
        var at: WallInstant
        var failure: Failure
    }

    /// Whether it has shown what only a live station shows: a radio server's header fields, or audio at real-time pace.
    private var isStation = false
    /// When audio of a file came last.
    private var lastArrival: WallInstant?
    /// The break of a file that has not been resumed.
    private var lastBreak: Break?
    /// The last body that ended properly and might have been a file's: its bytes, and the programme's frames by then.
    private var lastBody: (bytes: Int64, frames: Int64)?

    /// Whether it comes faster than any station, and so may be held back like a file.
    func isFasterThanStations(_ line: Line) -> Bool { !isStation && line.pace.isBeyondBurst }

    /// Audio has come over a connection.
    mutating func delivered(_ line: Line, _ now: MonotonicInstant, _ wall: WallInstant) {
        guard let info = line.upstream.info else { return }
        if info.kind == .finite {
            lastArrival = wall
        } else if line.pace.isSteady(now) || !info.icyFields.isEmpty {
            isStation = true
        }
    }

    /// A file broke off, or an attempt to resume it has failed. The first failure is the one that is kept.
    mutating func brokeOff(_ failure: Failure, _ wall: WallInstant) {
        lastBreak = lastBreak ?? Break(at: lastArrival ?? wall, failure: failure)
    }

    /// A file goes on where it broke off.
    mutating func wentOn() {
        lastBreak = nil
    }

    /// Whether a body that ended properly was a whole file: it was taken for one from the start, or it is all that the
    /// head announced and came faster than it plays. Where the head announced no length, the station's very first
    /// connection has to have brought more than any burst. What was heard as a live station before is none.
    func isWholeFile(_ line: Line, _ now: MonotonicInstant, isFirstAudio: Bool) -> Bool {
        guard line.joint.frames > 0 else { return false }
        if line.upstream.isResumable { return true }
        guard !isStation, line.pace.isFast(now) else { return false }
        return line.upstream.isWhole || line.upstream.mayEndAnywhere && line.pace.isBeyondBurst && isFirstAudio
    }

    /// Whether a body that ended properly came just so on the connection before, and brought nothing new: a file that is
    /// asked for from its start each time.
    mutating func isRepeatedFile(_ line: Line, frames: Int64) -> Bool {
        guard line.joint.frames > 0, line.upstream.isWhole || line.upstream.mayEndAnywhere else { return false }
        let body = (bytes: line.upstream.received, frames: frames)
        defer { lastBody = body }
        return lastBody.map { $0 == body } ?? false
    }

    /// Hands out the break once, when the file turns out to be a station: nothing resumed it.
    mutating func takeBreak() -> Break? { lastBreak.take() }
}
