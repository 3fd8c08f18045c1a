// SPDX-License-Identifier: MIT

/// The targets in Package.swift, read as text: the package tool would wait for the build that runs these tests.
enum Manifest {
    struct Target: Hashable, Sendable {
        let name: String
        let dependencies: [String]
        let isTest: Bool
    }

    static let targets: [Target] = parse(Project.file("Package.swift").text)

    static func parse(_ text: String) -> [Target] {
        let list = text.firstRange(of: "targets: [").map { text[$0.upperBound...] } ?? ""
        return list.matches(
            of: /(module|program|tests|\.target)\(\s*(?:name: )?"([\w-]+)"([^()]*(?:\([^()]*\)[^()]*)*)\)/
        ).map {
            let rest = String($0.output.3)
            let dependencies = rest.firstMatch(of: /^\s*,\s*(?:dependencies: )?\[([^\]]*)\]/)?.output.1 ?? ""
            return Target(
                name: String($0.output.2), dependencies: quoted(dependencies),
                isTest: $0.output.1 == "tests")
        }
    }

    /// The names in a list; for `.product(name: "A", package: "b")` the name of the product.
    private static func quoted(_ list: Substring) -> [String] {
        list.replacing(/package: "[^"]*"/, with: "").matches(of: /"([\w-]+)"/).map { String($0.output.1) }
    }
}
