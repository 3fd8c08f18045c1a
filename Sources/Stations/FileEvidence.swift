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

    /// Audio has come over a connection of this kind. `isSteady`: no faster than it plays; `hasICY`: with header fields
    /// that only radio servers send.
    mutating func delivered(_ kind: SourceKind, isSteady: Bool, hasICY: Bool, _ wall: WallInstant) {
        if kind == .finite {
            lastArrival = wall
        } else if isSteady || hasICY {
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

    /// Whether a body that ended properly may have been a file.
    var mayBeWholeFile: Bool { !isStation }

    /// Hands out the break once, when the file turns out to be a station: nothing resumed it.
    mutating func takeBreak() -> Break? { lastBreak.take() }
}
