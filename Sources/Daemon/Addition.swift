// SPDX-License-Identifier: MIT

/// A part of the daemon that only the list ``Daemon/additions`` makes. It may be a ``Purpose`` as well.
protocol Addition: DaemonPart {
    init(_ context: DaemonContext)
    /// The events that it adds.
    static var events: [EventName] { get }
    /// The metrics that it adds.
    static var metrics: [EventMetric] { get }
}

extension Addition {
    static var events: [EventName] { [] }
    static var metrics: [EventMetric] { [] }
}
