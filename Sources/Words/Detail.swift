// SPDX-License-Identifier: MIT

package import Engine
import Playback
import RadioCore
import Recorder
import Relay
package import Stations
import Storage

/// The detail of a message, and the detail that a reader wants: a reader sees messages up to that detail.
package enum Detail: Int, Sendable, Hashable, Comparable {
    /// Errors, events that need a person, and answers to keys and commands.
    case needed
    /// The course of events, for somebody who watches.
    case usual
    /// Every connection and its response, for somebody who is looking for a fault.
    case full

    package static func < (first: Detail, second: Detail) -> Bool { first.rawValue < second.rawValue }
}

// Decides who sees a message.
extension Detail {
    package init(_ notice: StationNotice) {
        switch notice {
        // Aircheck tries again by itself, unless only a person can change anything.
        case .failed(let failure, _): self = failure.needsSomebody ? .needed : .usual
        case .connecting(_, let attempt): self = attempt == 1 ? .usual : .full
        case .answered, .returning: self = .full
        case .changed, .renamed: self = .needed
        case .chose(_, let lost): self = lost == nil ? .full : .needed
        case .connected, .live, .followedPlaylist, .hedging, .hedgeFailed, .spliced, .gap, .stretch, .skipped,
            .attachmentsLeftOut, .mayBeIncomplete:
            self = .usual
        }
    }

    package init(_ notice: UseNotice) {
        switch notice {
        case .programme(let notice, _): self.init(notice)
        case .recorder(let notice): self.init(notice)
        case .queue(let notice): self.init(notice)
        case .exec(.failed): self = .needed
        case .exec: self = .usual
        case .failed(let failure): self = failure.needsSomebody ? .needed : .usual
        case .fallback(.failed(let failure)): self = failure == nil ? .usual : .needed
        case .fallback(.otherKind): self = .needed
        case .player(.status(let status)): self = status.lossOfSound == nil ? .usual : .needed
        case .fallback, .player, .wanted: self = .usual
        }
    }

    private init(_ notice: RecorderNotice) {
        switch notice {
        case .recovered(let file):
            if case .failed = file.outcome { self = .needed } else { self = .usual }
        case .failing, .cut, .lost, .missingBefore, .leftBehind, .flawed: self = .needed
        case .began, .finished, .rewritten, .resumed, .noTitles: self = .usual
        }
    }

    private init(_ notice: QueueNotice) {
        switch notice {
        case .failed, .cannotRemember: self = .needed
        case .began, .skipped, .list, .continues, .lostPlace, .cannotSeek, .order: self = .usual
        }
    }
}

extension Failure {
    /// Whether trying again will not help until somebody acts.
    fileprivate var needsSomebody: Bool { failureClass.needsPerson || failureClass.isFinal }
}
