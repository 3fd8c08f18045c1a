// SPDX-License-Identifier: MIT

import RadioCore

/// What brings audio to a hub: a station that is connected to, or media of this machine. Confined to the loop's thread.
///
/// Whoever wants the audio attaches a sink to ``hub``. A programme runs once, from ``start()`` to the end that the hub
/// reports.
package protocol Programme: FlowControl {
    var hub: StreamHub { get }
    /// Called with everything that is worth a line in the log.
    var onNotice: ((StationNotice) -> Void)? { get set }
    /// Header fields that each request for the audio carries besides the user's own. Asked for at each request.
    var requestFields: () -> [StationSettings.Header] { get set }
    var snapshot: StationSnapshot { get }
    func start()
    /// Asks the programme to end. The hub reports the end, perhaps at once.
    func stop()
    /// Ends the programme for one sink alone, as ``stop()`` ends it for all: the sink hears of what is missing just now,
    /// and of the end. Perhaps at once.
    func leave(_ sink: any StreamSink)
    /// Routes or addresses of this machine have changed.
    func networkChanged()
    /// The wall clock was set.
    func clockStepped()
}
