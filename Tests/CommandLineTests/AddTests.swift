// SPDX-License-Identifier: MIT

import Testing

@testable import aircheck

/// What `aircheck add` says at its end.
struct AddTests {
    @Test func `of a file with other problems it does not say that a daemon can read it`() {
        #expect(AddCommand.whatNext(problems: 0).contains("'aircheck reload'"))
        for (count, words) in [(1, "1 other problem,"), (2, "2 other problems,")] {
            let next = AddCommand.whatNext(problems: count)
            #expect(next.contains(words) && next.contains("'aircheck check'") && !next.contains("reload"), "\(next)")
        }
    }
}
