// SPDX-License-Identifier: MIT

import Stations

/// What a relay serves: a station that is connected to, or one of our own. Confined to the loop's thread.
protocol RelayedProgramme: ProgrammeSource {
    /// Connections after the first, and connections beside one that had gone silent.
    var connections: (reconnects: Int, hedges: Int) { get }
    func networkChanged()
    func clockStepped()
}

extension Station: RelayedProgramme {
    var connections: (reconnects: Int, hedges: Int) { (snapshot.reconnects, snapshot.hedges) }
}

/// Files know neither network nor certificates.
extension MediaStation: RelayedProgramme {
    var connections: (reconnects: Int, hedges: Int) { (0, 0) }
    func networkChanged() {}
    func clockStepped() {}
}
