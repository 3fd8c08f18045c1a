// SPDX-License-Identifier: MIT

package import RadioCore

/// A consumer of a programme: recorder, relay, player, analysis.
///
/// All calls come on the loop's thread, synchronously, in stream order. A sink must not block: blocking work belongs on
/// another thread.
package protocol StreamSink: AnyObject {
    /// How long arrived audio may wait before this sink receives it; zero by default. A longer time saves the station
    /// work. Nil if the sink wants no audio and therefore sets no limit. Must not change while the sink is attached.
    var tolerance: Duration? { get }
    /// Whether the sink rather waits for missing audio than goes on without it; false by default. Must not change while
    /// the sink is attached.
    var isPatient: Bool { get }
    func receive(_ event: StreamEvent)
}

extension StreamSink {
    package var tolerance: Duration? { .zero }
    package var isPatient: Bool { false }
}

/// Lets a sink pause a source that can wait, such as a file. A live station ignores such a request.
package protocol FlowControl: AnyObject {
    /// Stops reading until every sink that paused has resumed. Idempotent per sink.
    func pause(for sink: any StreamSink)
    func resume(for sink: any StreamSink)
}
