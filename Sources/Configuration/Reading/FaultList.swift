// SPDX-License-Identifier: MIT

/// Collects the faults of a file while it is read. Confined to the call that reads the file.
package final class FaultList {
    /// The maximum number of faults that are kept; people read fewer.
    package static let most = 200

    private var faults: [ConfigurationFault] = []
    /// What is allowed but probably a mistake, and what remains to be checked outside of the file.
    private(set) var doubts: [ConfigurationFault] = []
    private(set) var expectations: [Expectation] = []

    /// Whether further faults would be dropped, so that looking for more is pointless.
    var isFull: Bool { faults.count >= Self.most }
    var isEmpty: Bool { faults.isEmpty }

    func add(_ fault: ConfigurationFault) {
        if !isFull { faults.append(fault) }
    }

    func add(doubt: ConfigurationFault) {
        if doubts.count < Self.most { doubts.append(doubt) }
    }

    func add(_ expectation: Expectation) { expectations.append(expectation) }

    /// The faults in the order of their positions in the file.
    var sorted: [ConfigurationFault] {
        faults.sorted { ($0.line, $0.column, $0.key, $0.problem) < ($1.line, $1.column, $1.key, $1.problem) }
    }
}
