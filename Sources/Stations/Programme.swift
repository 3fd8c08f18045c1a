// SPDX-License-Identifier: MIT

import RadioCore

/// A source of audio for a hub: a station connection, or media on this machine. Confined to the loop's thread.
///
/// To receive the audio, attach a sink to ``hub``. A programme runs once, from ``start()`` to the end that the hub
/// reports.
package protocol Programme: FlowControl {
    var hub: StreamHub { get }
    /// Called with each notice worth a log line.
    var onNotice: ((StationNotice) -> Void)? { get set }
    /// Returns the header fields sent with each request in addition to the user's own. Called for each request.
    var requestFields: () -> [StationSettings.Header] { get set }
    var snapshot: StationSnapshot { get }
    func start()
    /// Asks the programme to end. The hub reports the end, possibly during this call.
    func stop()
    /// Ends the programme for one sink, as ``stop()`` does for all: the sink receives any gap that is open, then the
    /// end. This may happen during the call.
    func leave(_ sink: any StreamSink)
    /// Notes that routes or addresses of this machine have changed.
    func networkChanged()
    /// Notes that the wall clock was set.
    func clockStepped()
}
