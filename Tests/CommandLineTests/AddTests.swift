// SPDX-License-Identifier: MIT

import RadioCore
import Testing

@testable import Configuration
@testable import aircheck

/// What `aircheck add` says at its end, and its exit status.
struct AddTests {
    @Test("The last line of add suggests a reload only if the file has no other problems") func otherProblems() {
        #expect(AddCommand.whatNext(problems: 0).contains("'aircheck reload'"))
        for (count, words) in [(1, "1 other problem,"), (2, "2 other problems,")] {
            let next = AddCommand.whatNext(problems: count)
            #expect(next.contains(words) && next.contains("'aircheck check'") && !next.contains("reload"), "\(next)")
        }
    }

    @Test("A fault in what was typed is wrong usage, a fault in the file is bad configuration") func exitStatuses() {
        let fault = ConfigurationFault(at: .init(line: 1, column: 1), key: "", problem: "")
        #expect(ConfigurationText.Problem.station([fault]).exitStatus == .usage)
        #expect(ConfigurationText.Problem.taken(id: "fip", line: 1).exitStatus == .usage)
        #expect(ConfigurationText.Problem.known(id: "fip", line: 1).exitStatus == .usage)
        #expect(ConfigurationText.Problem.invalid(fault).exitStatus == .configuration)
        #expect(ConfigurationText.Problem.otherForm.exitStatus == .configuration)
    }
}
