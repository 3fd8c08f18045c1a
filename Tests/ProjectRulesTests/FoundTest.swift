// SPDX-License-Identifier: MIT

/// A test in the source of the tests.
struct FoundTest {
    /// The suite and the function, as `Suite/function`.
    let name: String
    /// The title; nil if the test has none.
    let title: String?
    /// The hazards that its title begins with.
    let hazards: [String]

    /// Reads source formatted as in this project: a suite begins its line, and its tests are indented by one step.
    static func tests(in text: String) -> [FoundTest] {
        let suites = text.matches(
            of: /^(?:@Suite(?:\(.*\))? )?(?:(?:private|final) )*(?:struct|class|extension) (\w+)/
                .anchorsMatchLineEndings())
        return text.matches(of: /^    @Test\b/.anchorsMatchLineEndings()).compactMap { attribute in
            let suite = suites.last { $0.range.lowerBound < attribute.range.lowerBound }
            let rest = text[attribute.range.upperBound...]
            guard let suite, let function = rest.firstMatch(of: /func (?:`([^`]+)`|(\w+))/) else { return nil }
            let name = function.output.1 ?? function.output.2 ?? ""
            let title = rest.prefixMatch(of: /\(\s*"((?:[^"\\\n]|\\.)*)"/)?.output.1
            return FoundTest("\(suite.output.1)/\(name)", title: title)
        }
    }

    private init(_ name: String, title: Substring?) {
        self.name = name
        self.title = title.map { String($0) }
        hazards =
            (title ?? name.drop { $0 != "/" }.dropFirst()).prefixMatch(of: /([A-I]\d+(?:, [A-I]\d+)*):/).map { match in
                match.output.1.split(separator: ", ").map(String.init)
            } ?? []
    }
}
