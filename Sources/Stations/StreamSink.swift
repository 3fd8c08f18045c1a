// SPDX-License-Identifier: MIT

package import RadioCore

/// A consumer of a station: recorder, relay, player, analysis.
///
/// All calls come on the loop's thread, synchronously, in stream order. A sink never waits: what blocks goes to a
/// thread of its own.
package protocol StreamSink: AnyObject {
    /// For how long audio that has arrived may wait before this sink gets it; zero by default. A longer time saves the
    /// station work. Nil: this sink wants no audio, so it has no say. Must not change while it is attached.
    var tolerance: Duration? { get }
    func receive(_ event: StreamEvent)
}

extension StreamSink {
    package var tolerance: Duration? { .zero }
}

/// How a sink holds back a source that can wait (a file). A live station ignores it: live is never paused.
package protocol FlowControl: AnyObject {
    /// Stops reading until every sink that paused has resumed. Idempotent per sink.
    func pause(for sink: any StreamSink)
    func resume(for sink: any StreamSink)
}
