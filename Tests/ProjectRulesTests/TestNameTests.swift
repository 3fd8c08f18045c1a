// SPDX-License-Identifier: MIT

import Testing

/// Checks that all tests are named in the same way: a sentence as the title, and a short name for the function.
struct TestNameTests {
    @Test("Every test has a sentence as its title, and a short function name")
    func dialect() {
        var count = 0
        for file in Project.tests {
            for test in FoundTest.tests(in: file.text) {
                count += 1
                let title = test.title ?? ""
                let isSentence = title.firstMatch(of: /^(?:[A-I]\d+(?:, [A-I]\d+)*: )?["'“(]?[\p{Lu}\d]/) != nil
                #expect(isSentence && !title.hasSuffix("."), "\(file): \(test.name): \(title)")
                let function = test.name.split(separator: "/").last ?? ""
                #expect(
                    function.wholeMatch(of: /[a-z][A-Za-z0-9]*/) != nil && function.count <= 40, "\(file): \(test.name)"
                )
            }
        }
        #expect(count > 2_000)
    }
}
