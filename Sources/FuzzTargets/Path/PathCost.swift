// SPDX-License-Identifier: MIT

/// What an input costs on the whole path, counted: bytes that go to the disk, calls to it, and what sinks are told.
package enum PathCost {
    /// For each byte of the body.
    package static let most = 64.0

    /// A call to the disk counts as much as so many bytes, and so does an event.
    private static let call = 64
    private static let event = 16
    /// What a recording costs that has nothing in it but its beginning and its end, and one of many connections.
    private static let basis = 16_384

    static func of(_ run: PathRun) -> Double {
        let work = run.system.work
        let units = work.bytesWritten + work.calls * call + run.witness.events * event
        return Double(units) / Double(basis + run.server.transfers.reduce(0) { $0 + $1.taken.count })
    }
}
