// SPDX-License-Identifier: MIT

/// Collects the faults of a file while it is read. Confined to the call that reads the file.
package final class FaultList {
    /// The maximum number of faults that are kept; people read fewer.
    package static let most = 200

    private var faults: [ConfigurationFault] = []

    /// Whether further faults would be dropped, so that looking for more is pointless.
    var isFull: Bool { faults.count >= Self.most }
    var isEmpty: Bool { faults.isEmpty }

    func add(_ fault: ConfigurationFault) {
        if !isFull { faults.append(fault) }
    }

    /// The faults in the order of their positions in the file.
    var sorted: [ConfigurationFault] {
        faults.sorted { ($0.line, $0.column, $0.key, $0.problem) < ($1.line, $1.column, $1.key, $1.problem) }
    }
}
