// SPDX-License-Identifier: MIT

package import Engine
import Playback
import RadioCore
import Recorder
import Relay
package import Stations
import Storage

/// How much a reader wants to know, and for whom a message is: a reader is shown the messages up to their detail.
package enum Detail: Int, Sendable, Hashable, Comparable {
    /// Errors, what needs a person, and answers to what somebody has just typed.
    case needed
    /// What happens, for somebody who watches.
    case usual
    /// Every connection and what it was answered, for somebody who looks for a fault.
    case full

    package static func < (first: Detail, second: Detail) -> Bool { first.rawValue < second.rawValue }
}

// The one place that decides for whom a message is.
extension Detail {
    package init(_ notice: StationNotice) {
        switch notice {
        // Aircheck tries again by itself, unless only a person can change anything.
        case .failed(let failure, _): self = failure.needsSomebody ? .needed : .usual
        case .connecting(_, let attempt): self = attempt == 1 ? .usual : .full
        case .answered: self = .full
        case .connected, .live, .followedPlaylist, .hedging, .hedgeFailed, .spliced, .gap, .stretch, .skipped:
            self = .usual
        }
    }

    package init(_ notice: UseNotice) {
        switch notice {
        case .programme(let notice): self.init(notice)
        case .recorder(let notice): self.init(notice)
        case .queue(let notice): self.init(notice)
        case .failed(let failure): self = failure.needsSomebody ? .needed : .usual
        case .fallback(.failed(let failure)): self = failure == nil ? .usual : .needed
        case .fallback(.otherCodec): self = .needed
        case .player(.status(let status)): self = status.lossOfSound == nil ? .usual : .needed
        case .fallback, .player, .wanted: self = .usual
        }
    }

    private init(_ notice: RecorderNotice) {
        switch notice {
        case .recovered(let file):
            if case .failed = file.outcome { self = .needed } else { self = .usual }
        case .failing, .cut, .lost, .leftBehind, .flawed: self = .needed
        case .began, .finished, .resumed, .noTitles: self = .usual
        }
    }

    private init(_ notice: QueueNotice) {
        switch notice {
        case .failed, .cannotRemember: self = .needed
        case .began, .skipped, .list, .cannotSeek, .order: self = .usual
        }
    }
}

extension Failure {
    /// Whether trying again will not help until somebody acts.
    fileprivate var needsSomebody: Bool { failureClass.needsPerson || failureClass.isFinal }
}
