// SPDX-License-Identifier: MIT

package import RadioCore

/// What delivers the audio of a ``Programme``: a live stream, a file on the web, media of this machine.
///
/// It delivers parts into the programme's ``Trunk``, and says there when the programme is over. The programme is its
/// only user.
package protocol Source: AnyObject {
    /// Begins to deliver. Called once.
    func begin()
    /// Stops delivering, for good.
    func stop()
    /// Calls `done` once all audio that has arrived is delivered, possibly during this call.
    func collect(then done: @escaping () -> Void)
    /// The gap that a sink has received no audio for, if it leaves now; nil if none is open.
    var openGap: Gap? { get }
    /// Completes what the hub tells of the programme's state.
    func describe(in snapshot: inout StationSnapshot)
    /// Settings for requesting a file again, from the final address behind playlists and redirects. Nil before there is
    /// a response, and if nothing is requested.
    var reached: StationSettings? { get }
    /// Whether the source can wait. A live one ignores the sinks' requests to pause.
    var canPause: Bool { get }
    func pause()
    func resume()
    /// Retries what failed, because routes or addresses of this machine have changed.
    func networkChanged()
    /// Corrects air times by the wall clock, which was set.
    func clockStepped()
}

// The defaults, which apply to media of this machine.
extension Source {
    package func collect(then done: @escaping () -> Void) { done() }
    package var openGap: Gap? { nil }
    package func describe(in snapshot: inout StationSnapshot) {}
    package var reached: StationSettings? { nil }
    package var canPause: Bool { false }
    package func pause() {}
    package func resume() {}
    package func networkChanged() {}
    package func clockStepped() {}
}
