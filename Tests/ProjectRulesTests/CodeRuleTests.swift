// SPDX-License-Identifier: MIT

import Testing

/// Rules that a reviewer would otherwise check in every change.
struct CodeRuleTests {
    @Test("Every source file names its licence at its top")
    func licence() {
        for file in Project.sources + Project.tests + Project.shims + [Project.file("Package.swift")] {
            let isNamed = file.lines.prefix(2).contains { $0.hasPrefix("// SPDX-License-Identifier: MIT") }
            #expect(isNamed, "\(file)")
        }
    }

    @Test("Unchecked Sendable declarations are few, and each has its proof")
    func uncheckedPromises() {
        var promises: [String] = []
        for file in Project.sources {
            for (number, line) in file.code.enumerated()
            where line.contains("@unchecked " + "Sendable") || line.contains("nonisolated" + "(unsafe)") {
                promises.append("\(file):\(number + 1)")
                let around = file.lines[max(0, number - 14)...min(file.lines.count - 1, number + 6)]
                #expect(around.contains { $0.contains("Proof:") }, "\(file):\(number + 1) has no proof")
            }
        }
        #expect(promises.count <= 8, "\(promises)")
    }

    @Test("Nothing on the loop's thread is asynchronous")
    func confinement() {
        forbid(
            /\bTask\s*[{(.]|\bTask\.detached|\bawait\b|\basync\b(?!=)/,
            in: Project.sources.filter { Layers.confined.contains($0.target) })
    }

    /// A report without words would be told to nobody.
    @Test("Each report of a use or of a part of the daemon has words") func reports() {
        let code = Project.sources.flatMap(\.code)
        let reports = code.compactMap { $0.firstMatch(of: /enum (\w+): (?:Use|Daemon)Report\b/)?.output.1 }
        #expect(reports.count >= 3)
        for report in reports { #expect(code.contains { $0.hasPrefix("extension \(report): Worded") }, "\(report)") }
    }

    /// docs/engine.md says it once.
    @Test("No comment says that an object is confined to the loop's thread, or what a function notes")
    func comments() {
        for file in Project.sources + Project.tests where !file.path.hasPrefix("Tests/ProjectRulesTests/") {
            for (number, line) in file.lines.enumerated()
            where line.contains("Confined to the " + "loop") || line.contains("/// Notes ") {
                Issue.record("\(file):\(number + 1): \(line)")
            }
        }
    }

    @Test("Only the command line prints")
    func printing() {
        forbid(
            /(?:^|[^.\w])(?:print|debugPrint|dump|fputs|puts)\(/,
            in: Project.sources.filter { file in
                !["aircheck", "aircheck-bench"].contains(file.target)
                    && !file.code.contains { $0.contains("func print(") }
            })
    }

    /// Not every container may have network namespaces, and only `make players` installs players. Anything else that
    /// tests need must be present.
    @Test("Tests wait for events: none sleeps, and only missing network namespaces and players skip a test")
    func sleeps() {
        let files = Project.tests + Project.sources.filter { $0.target != "aircheck-bench" }
        forbid(/\b(?:u|nano)?sleep\s*\(|Task\.sleep|Thread\.sleep|\.sleep\(/, in: files)
        forbid(/\.disabled\(|withKnown[I]ssue|XCTSkip/, in: Project.tests)
        forbid(/\.enabled\(if(?!: NetworkNamespace\.isPermitted|: Tool\.hasPlayers)/, in: Project.tests)
    }

    /// Targets below the command line name settings by their fields, because a daemon reports the same faults and
    /// remedies.
    @Test("Only the command line names its options")
    func options() {
        let product = Project.sources.filter { file in
            file.target != "aircheck" && Layers.rows[file.target].flatMap(\.self) != nil
        }
        #expect(product.count > 100)
        forbid(/--[a-z]/, in: product)
    }

    /// With one table and no default case, a new class is a compile error in the one place that must decide.
    @Test("Everything that depends on a failure's class stands in one table, which names all classes")
    func failureClasses() {
        let table = Project.sources.filter { $0.path.hasSuffix("/Failure+Class.swift") }
        #expect(table.count == 1)
        forbid(/\bdefault\b/, in: table)
        forbid(/switch .*\bfailureClass\b|\.contains\(.*\bfailureClass\b/, in: Project.sources)
    }

    @Test("The headers of C targets include only system headers of plain types")
    func shimHeaders() {
        let headers = Project.shims.filter { $0.path.contains("/include/") }
        #expect(headers.count >= 3)
        for header in headers {
            for line in header.lines where line.hasPrefix("#include") {
                let isPlain = line.contains(/<std(?:int|def|bool)\.h>|"\w+\.h"/)
                #expect(isPlain, "\(header): \(line): the first debug build of a fresh clone could fail")
            }
        }
    }

    private func forbid(_ pattern: some RegexComponent, in files: [Project.File]) {
        for file in files where !file.path.hasPrefix("Tests/ProjectRulesTests/") {
            for (number, line) in file.code.enumerated() where line.contains(pattern) {
                Issue.record("\(file):\(number + 1): \(line)")
            }
        }
    }
}
