// SPDX-License-Identifier: MIT

import Testing

/// Checks that imports go down only, as docs/architecture.md says.
struct LayerTests {
    @Test("No target imports upwards or sideways, or a library that is not meant for it")
    func imports() {
        #expect(Project.sources.count > 50)
        for file in Project.sources {
            for imported in importedModules(file) {
                let isAllowed =
                    Layers.rows[imported] == nil
                    ? Layers.system(for: file.target).contains(imported)
                    : Layers.allows(file.target, toImport: imported)
                #expect(isAllowed, "\(file) imports \(imported)")
            }
        }
    }

    @Test("Imports of a target are declared in Package.swift, and declared dependencies go down")
    func declarations() {
        let declared = Dictionary(uniqueKeysWithValues: Manifest.targets.map { ($0.name, $0) })
        for target in Manifest.targets where !target.isTest {
            #expect(Layers.rows[target.name] != nil, "\(target.name) has no row in Layers.swift")
            for dependency in target.dependencies where Layers.rows[dependency] != nil {
                #expect(Layers.allows(target.name, toImport: dependency), "\(target.name) depends on \(dependency)")
            }
        }
        for file in Project.sources + Project.tests {
            let dependencies = declared[file.target]?.dependencies ?? []
            for imported in importedModules(file) where Layers.rows[imported] != nil {
                #expect(dependencies.contains(imported), "\(file) imports \(imported), which is not declared")
            }
        }
    }

    /// A dependency that is not imported makes a target wait for another one in each build.
    @Test("Declared dependencies are imported")
    func needlessDeclarations() {
        var imported: [String: Set<String>] = [:]
        for file in Project.sources + Project.tests {
            imported[file.target, default: []].formUnion(importedModules(file))
        }
        for target in Manifest.targets {
            // A target in C has no imports: it includes headers.
            guard let imports = imported[target.name] else { continue }
            for dependency in target.dependencies {
                #expect(imports.contains(dependency), "\(target.name) declares \(dependency) and does not import it")
            }
        }
    }

    @Test("The table of docs/architecture.md equals the one in Layers.swift, and Package.swift has no other targets")
    func table() {
        var documented: [String: String] = [:]
        for line in Project.file("docs/architecture.md").lines {
            guard let match = line.firstMatch(of: /^\| ([0-9–]+) \| (.*?) \|/) else { continue }
            for name in match.output.2.matches(of: /`([\w-]+)`/) {
                documented[String(name.output.1)] = String(match.output.1)
            }
        }
        #expect(documented == Layers.rows.mapValues { row in row.map { "\($0)" } ?? "–" })
        #expect(Set(Manifest.targets.filter { !$0.isTest }.map(\.name)) == Set(Layers.rows.keys))
        #expect(Set(Project.sources.map(\.target)).isSubset(of: Layers.rows.keys))
    }

    @Test("Imports and the manifest are parsed correctly")
    func readers() {
        let file = Project.File(
            path: "Sources/A/B.swift",
            text: """
                import X
                  package import Y // why
                // import Z
                @testable import V
                import struct U.Part
                let import = 1
                """)
        #expect(importedModules(file) == ["X", "Y", "V", "U"])
        let targets = Manifest.parse(
            """
            func module(_ name: String) {}
            targets: [
                module("A"), module("B", ["A"]), .target(name: "C", linkerSettings: [.linkedLibrary("c")]),
                program(
                    "d", ["A", .product(name: "Parser", package: "parser")], linkerSettings: [.unsafeFlags(["-x"])]),
                tests(
                    "ATests",
                    ["A"]),
            ]
            """)
        #expect(targets.map(\.name) == ["A", "B", "C", "d", "ATests"])
        #expect(targets.map(\.dependencies) == [[], ["A"], [], ["A", "Parser"], ["A"]])
        #expect(targets.map(\.isTest) == [false, false, false, false, true])
    }
}

/// The modules that a file imports.
private func importedModules(_ file: Project.File) -> [String] {
    let declaration =
        #/
        ^\s* (?: @\w+ (?: \(\w+\) )? \s+ )*
        (?: (?: public | package | internal | private | fileprivate ) \s+ )?
        import \s+
        (?: (?: struct | class | enum | protocol | func | var | let | typealias ) \s+ )?
        (\w+)
        /#
    return file.code.compactMap { $0.firstMatch(of: declaration).map { String($0.output.1) } }
}
