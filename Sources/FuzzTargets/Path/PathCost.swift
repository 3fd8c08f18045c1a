// SPDX-License-Identifier: MIT

/// The cost of an input on the whole path: bytes written to the disk, file system calls, and events of the sinks.
package enum PathCost {
    /// The maximum cost, in units per byte of the body. A unit is a byte written to the disk.
    package static let most = 64.0

    /// The number of units that a file system call, or an event, is counted as.
    private static let call = 64
    private static let event = 16
    /// A number of bytes added to the body's length, because a recording has a fixed cost even if it is empty, and so
    /// does each of many connections.
    private static let basis = 16_384

    static func of(_ run: PathRun) -> Double {
        let work = run.system.work
        let units = work.bytesWritten + work.calls * call + run.witness.events * event
        return Double(units) / Double(basis + run.server.transfers.reduce(0) { $0 + $1.taken.count })
    }
}
