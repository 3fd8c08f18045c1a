// SPDX-License-Identifier: MIT

import Configuration
import RadioCore
import Testing

@testable import aircheck

/// What `aircheck add` says at its end, and its exit status.
struct AddTests {
    @Test func `of a file with other problems it does not say that a daemon can read it`() {
        #expect(AddCommand.whatNext(problems: 0).contains("'aircheck reload'"))
        for (count, words) in [(1, "1 other problem,"), (2, "2 other problems,")] {
            let next = AddCommand.whatNext(problems: count)
            #expect(next.contains(words) && next.contains("'aircheck check'") && !next.contains("reload"), "\(next)")
        }
    }

    @Test func `what was typed is wrong usage, and what the file holds is bad configuration`() {
        let fault = ConfigurationFault(at: .init(line: 1, column: 1), key: "", problem: "")
        #expect(ConfigurationText.Failure.station([fault]).exitStatus == .usage)
        #expect(ConfigurationText.Failure.taken(id: "fip", line: 1).exitStatus == .usage)
        #expect(ConfigurationText.Failure.invalid(fault).exitStatus == .configuration)
        #expect(ConfigurationText.Failure.otherForm.exitStatus == .configuration)
    }
}
