// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// What a station has shown so far of being a file, or of being none, and where a file broke off: a pure value.
struct FileEvidence {
    /// Where audio stopped, on the wall clock, and why.
    struct Break {
        var at: WallInstant
        var failure: Failure
    }

    /// It was heard as only a station is: with what radio servers say, or at its own pace.
    private var isStation = false
    /// When audio of a file came last.
    private var lastArrival: WallInstant?
    /// Of a file that has not been gone on with.
    private var lastBreak: Break?

    /// Audio has come over a connection of this kind. `isSteady`: no faster than it plays; `hasICY`: with what only
    /// radio servers say.
    mutating func delivered(_ kind: SourceKind, isSteady: Bool, hasICY: Bool, _ wall: WallInstant) {
        if kind == .finite {
            lastArrival = wall
        } else if isSteady || hasICY {
            isStation = true
        }
    }

    /// A file broke off, or a try to go on with it has failed: what happened first is why.
    mutating func brokeOff(_ failure: Failure, _ wall: WallInstant) {
        lastBreak = lastBreak ?? Break(at: lastArrival ?? wall, failure: failure)
    }

    /// A file goes on where it broke off.
    mutating func wentOn() {
        lastBreak = nil
    }

    /// Whether a body that is over, and is all that its head announced, may have been a file.
    var mayBeWholeFile: Bool { !isStation }

    /// The break that nothing went on after, once: what was taken for a file is a station.
    mutating func takeBreak() -> Break? { lastBreak.take() }
}
