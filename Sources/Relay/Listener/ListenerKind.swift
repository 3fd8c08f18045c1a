// SPDX-License-Identifier: MIT

import HTTPServer
import Stations

/// Whether a listener gets anything besides the station's own audio, and what happens to it at a gap.
enum ListenerKind: Hashable {
    /// A client that gets filler while the station is unavailable, and resumes at the live edge after a gap.
    case player
    /// A client of a mount without filler. It may be recording, so it gets all available audio over the same
    /// connection, also after a gap.
    case plain
    /// A client whose request says that it records or relays. It gets all audio and no filler, and its connection ends
    /// wherever audio is missing. That is how it notices the gap; it then reconnects for the following audio. `isNew`:
    /// see ``FillerField/isNew``.
    case recorder(isNew: Bool)

    init(_ head: HTTPRequestHead, mountHasFiller: Bool) {
        if let field = FillerField(head[FillerField.name.lowercased()]) {
            self = .recorder(isNew: field.isNew)
        } else {
            self = mountHasFiller ? .player : .plain
        }
    }

    var isRecorder: Bool {
        switch self {
        case .player, .plain: false
        case .recorder: true
        }
    }
}
