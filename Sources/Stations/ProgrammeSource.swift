// SPDX-License-Identifier: MIT

/// What delivers a programme to a hub: a station that is connected to, or one of our own. Confined to the loop's
/// thread.
package protocol ProgrammeSource: AnyObject {
    var hub: StreamHub { get }
    func start()
    /// Asks the programme to end. The hub reports the end.
    func stop()
}

extension Station: ProgrammeSource {}
extension MediaStation: ProgrammeSource {}
