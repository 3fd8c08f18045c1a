// SPDX-License-Identifier: MIT

import Testing

struct DocumentRuleTests {
    @Test("Links between documents lead somewhere")
    func links() {
        #expect(Project.documents.count >= 3 && Project.documents.allSatisfy { !$0.text.isEmpty })
        for document in Project.documents {
            let folder = document.path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
            for match in document.text.matches(of: /\]\(([^)\s]+)\)/) {
                let target = match.output.1.prefix { $0 != "#" }
                guard !target.isEmpty, !target.contains("://"), !target.hasPrefix("mailto:") else { continue }
                #expect(Project.exists(folder + target), "\(document): \(target)")
            }
        }
    }

    /// docs/hazards.md is exempt, because it is one table, which tests read.
    @Test("Each page of the documentation has at most 150 lines")
    func pageLengths() {
        let pages = Project.documents.filter { $0.path.hasPrefix("docs/") && $0.path != "docs/hazards.md" }
        #expect(pages.contains { $0.path == "docs/decisions/README.md" })
        for page in pages {
            // Splitting leaves an empty line after the last line feed, which does not count.
            let count = page.lines.count - (page.text.hasSuffix("\n") ? 1 : 0)
            #expect(count <= 150, "\(page) has \(count) lines")
        }
    }

    @Test("The README has fewer than 120 lines")
    func readmeLength() {
        let readme = Project.file("README.md")
        // Splitting leaves an empty line after the last line feed, which does not count.
        let count = readme.lines.count - (readme.text.hasSuffix("\n") ? 1 : 0)
        #expect(count > 50 && count < 120, "it has \(count) lines")
    }

    @Test("The commands in the README exist")
    func commands() {
        let makefile = Project.file("Makefile")
        let targets = makefile.lines.compactMap { $0.firstMatch(of: #/^([a-z]+):.*## /#).map { String($0.output.1) } }
        let readme = Project.file("README.md").text
        for match in readme.matches(of: /\bmake ([a-z]+)\b/) {
            #expect(targets.contains(String(match.output.1)), "make \(match.output.1)")
        }
        for target in ["run", "test", "check", "bench", "install"] {
            #expect(readme.contains("make \(target)"), "the README does not name make \(target)")
        }
        #expect(Project.file(".ci/run").text.contains("exec make test\n"))
    }

    /// A flag on the command line changes every compiler command. Two commands with different flags would recompile
    /// everything each time they alternate.
    @Test("All commands of the Makefile build with the same flags, or in a folder of their own")
    func sharedBuild() {
        for line in Project.file("Makefile").lines where line.contains(/\$\(SWIFT\) (?:build|test)|\$\(COMPILE\)/) {
            let isShared = ["COMPILE = ", "BUILD = ", "TEST = "].contains { line.hasPrefix($0) }
            #expect(isShared || line.contains(/IN_DEBUG|_PATH|--scratch-path/), "\(line)")
            let flags = /-X(?:swiftc|cc|cxx|linker)|--sanitize|--static-swift-stdlib/
            #expect(!isShared || !line.contains(flags), "\(line)")
        }
    }

    @Test("No file contains a path of the machine on which it was written")
    func machinePaths() {
        let files = Project.sources + Project.tests + Project.shims + Project.scaffolding
        #expect(files.count > 100)
        let pattern = /(?:^|[^A-Za-z0-9.~}])\/(?:work|root|home\/\w+|tmp\/\w+)\//
        for file in files where file.path != "Tests/ProjectRulesTests/DocumentRuleTests.swift" {
            for (number, line) in file.lines.enumerated() where line.contains(pattern) {
                Issue.record("\(file):\(number + 1): \(line)")
            }
        }
    }
}
