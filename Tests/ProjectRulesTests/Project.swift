// SPDX-License-Identifier: MIT

import Foundation

/// The files of this repository, as the rules read them.
enum Project {
    /// A text file and its path below the root.
    struct File: Sendable, CustomStringConvertible {
        let path: String
        let text: String
        let lines: [Substring]
        /// The code without comments after `//`. A string with `//` loses its end, which is good enough for rules.
        let code: [Substring]

        init(path: String, text: String) {
            (self.path, self.text) = (path, text)
            lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            code = lines.map { line in
                guard let comment = line.firstRange(of: "//") else { return line }
                return line[..<comment.lowerBound]
            }
        }

        var description: String { path }
        /// The target of the file: its folder in `Sources` or `Tests`.
        var target: String {
            let folders = path.split(separator: "/").map(String.init)
            return folders[0] == "Benchmarks" ? "aircheck-bench" : folders.dropFirst().first ?? ""
        }
    }

    static let root: String = #filePath.components(separatedBy: "/Tests/ProjectRulesTests/")[0]

    static let sources = ["Sources", "Benchmarks"].flatMap { files(below: $0, withExtensions: ["swift"]) }
    static let tests = files(below: "Tests", withExtensions: ["swift"])
    static let shims = files(below: "Sources", withExtensions: ["c", "h"])
    static let documents =
        files(below: "docs", withExtensions: ["md"]) + ["README.md", "CHANGELOG.md"].map { file($0) }
    static let readmes = ["Sources", "deploy"].flatMap { files(below: $0, withExtensions: ["md"]) }
    static let scaffolding =
        ["scripts", "deploy", ".ci", "docs"].flatMap { files(below: $0, withExtensions: nil) }
        + ["Makefile", "Package.swift", "README.md", "CHANGELOG.md", "config.example.toml"].map { file($0) }

    /// A file by its path below the root; empty if it does not exist or is not text.
    static func file(_ path: String) -> File {
        File(path: path, text: (try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)) ?? "")
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(root)/\(path)")
    }

    /// The text files in a folder and below it; only those with one of the extensions, if there are any.
    private static func files(below folder: String, withExtensions extensions: Set<String>?) -> [File] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
        return names.sorted().filter { name in
            extensions?.contains((name as NSString).pathExtension) ?? true
        }.map { file("\(folder)/\($0)") }.filter { !$0.text.isEmpty }
    }
}
