// SPDX-License-Identifier: MIT

import Stations

/// What a relay serves: a station that is connected to, or one of our own. Confined to the loop's thread.
protocol RelayedProgramme: AnyObject {
    var hub: StreamHub { get }
    func start()
    /// Asks for the end, which the hub tells.
    func stop()
    func networkChanged()
    func clockStepped()
}

extension Station: RelayedProgramme {}

/// Files know neither network nor certificates.
extension MediaStation: RelayedProgramme {
    func networkChanged() {}
    func clockStepped() {}
}
