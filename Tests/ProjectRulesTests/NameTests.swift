// SPDX-License-Identifier: MIT

import Testing

/// Checks that documents and comments name nothing that is gone. Of what stands between backticks, these are names:
/// words with a capital letter inside, words with arguments, links of DocC, options, and paths into this repository.
struct NameTests {
    private static let swift = Project.sources + Project.tests
    private static let other = Project.shims + Project.scaffolding.filter { !$0.path.hasSuffix(".md") }
    private static let quotations = (swift + Project.documents + Project.readmes)
        .filter { $0.path != "CHANGELOG.md" }.flatMap(Quotation.all)

    @Test("Names in documents and comments are words of the code")
    func names() {
        var words: Set<Substring> = []
        for file in Self.swift + Self.other { for line in file.code { words.formUnion(line.words) } }
        #expect(words.count > 10_000 && Self.quotations.count > 3_000)
        for quotation in Self.quotations {
            for name in quotation.names { #expect(words.contains(name), "\(quotation): there is no \(name)") }
            guard let option = quotation.option, !words.contains(option.property) else { continue }
            let isThere = (Self.swift + Self.other).contains { file in
                file.code.contains { $0.contains("--\(option)") || $0.contains("\"\(option)\"") }
            }
            #expect(isThere, "\(quotation): there is no such option")
        }
    }

    @Test("Links in comments lead to members of the types that they name")
    func links() {
        var members: [Substring: Set<Substring>] = [:]
        for file in Self.swift {
            var (types, names): (Set<Substring>, Set<Substring>) = ([], ["init", "subscript"])
            for words in file.code.map(\.words) {
                for (keyword, name) in zip(words, words.dropFirst()) {
                    if ["struct", "class", "enum", "actor", "protocol", "extension"].contains(keyword) {
                        types.insert(name)
                    } else if ["func", "var", "let", "typealias", "associatedtype"].contains(keyword) {
                        names.insert(name)
                    }
                }
                // Cases may share a line, and an extension may be of a nested type.
                if words.first == "case" || words.first == "indirect" { names.formUnion(words) }
                if words.contains("extension") { types.formUnion(words) }
            }
            for type in types { members[type, default: []].formUnion(names.union(types)) }
        }
        for quotation in Self.quotations where quotation.isLink {
            for (type, member) in zip(quotation.parts, quotation.parts.dropFirst()) {
                #expect(members[type]?.contains(member) == true, "\(quotation): \(type) has no \(member)")
            }
        }
    }

    @Test("Paths in documents and comments lead somewhere")
    func paths() {
        var known: Set<String> = []
        for file in Self.swift + Self.other + Project.documents + Project.readmes {
            let folders = file.path.split(separator: "/")
            for start in folders.indices {
                for end in folders.indices[start...] { known.insert(folders[start...end].joined(separator: "/")) }
            }
        }
        let roots = Set(Layers.rows.keys).union(["Sources", "Tests", "Benchmarks", "docs", "scripts", "deploy"])
        // These pages name files that a change would add.
        for quotation in Self.quotations where !["docs/changing.md", "docs/planned.md"].contains(quotation.file) {
            guard let path = quotation.path,
                path.hasSuffix(".swift") || roots.contains(String(path.prefix { $0 != "/" }))
            else { continue }
            #expect(known.contains(path) || Project.exists(path), "\(quotation): there is no such path")
        }
    }

    @Test("One word, one meaning: types share a name only if it is a role in the type around them")
    func types() {
        var types: [Substring: [(file: String, owner: Substring, isNested: Bool, isPrivate: Bool)]] = [:]
        for file in Project.sources where Layers.rows[file.target].flatMap(\.self) != nil {
            var owner: Substring = ""
            for line in file.code {
                let words = line.words
                let modifiers = words.prefix {
                    ["package", "private", "fileprivate", "final", "indirect"].contains($0)
                }
                guard words.count > modifiers.count + 1 else { continue }
                let (keyword, name, isNested) = (words[modifiers.count], words[modifiers.count + 1], line.first == " ")
                if !isNested { owner = name }
                // A class that is not final is one of a script.
                let isType =
                    ["struct", "enum", "actor", "protocol", "typealias"].contains(keyword)
                    || keyword == "class" && modifiers.contains("final")
                guard isType, name.utf8.first?.isUppercase == true, keyword != "typealias" || words.last != name
                else { continue }
                let isPrivate = modifiers.contains("private") || modifiers.contains("fileprivate")
                types[name, default: []].append((file.path, owner, isNested, isPrivate))
            }
        }
        #expect(types.count > 1_000)
        for (name, types) in types {
            let isGlobal = types.contains { !$0.isNested }
            let meanings = types.filter { !Self.records.contains($0.owner) && (isGlobal || !$0.isPrivate) }
            let isOne = meanings.count < 2 || !isGlobal && Self.roles.contains(name)
            #expect(isOne, "\(name): \(types.map(\.file))")
        }
        for role in Self.roles {
            #expect((types[role] ?? []).count { !$0.isPrivate } > 1, "\(role) has one meaning: it need not be listed")
        }
    }

    /// What these types say of a thing has the name of the thing.
    private static let records: Set<Substring> = ["Sidecar", "DaemonStatus"]

    /// Names that mean nothing without the type around them.
    private static let roles: Set<Substring> = [
        // Where a machine is; what it is told; what it decides.
        "State", "Stage", "Step", "Mode", "Level", "Event", "Change", "Signal", "Action", "Order", "Verdict",
        // What a call gives, or why it gives nothing.
        "Answer", "Output", "Outcome", "Progress", "Ending", "Finding", "Found", "Candidate", "Notice", "Problem",
        "ParseError", "Refusal", "Reason", "Code",
        // What a list or a record has.
        "Entry", "Item", "Part", "Field", "Value", "Content", "File", "Location",
        // How the type differs from its like, or is made.
        "Kind", "Role", "Method", "Limits", "Maker",
    ]

    @Test("Quotations are read with their names")
    func reader() {
        // Put together, because this test reads its own comments.
        let line =
            String(repeating: "/", count: 3)
            + " See ``A/b(c:)`` or `aName`, `x`, `f()`, `HTTPThing.part`, `--an-option N` and `docs/a.md`."
        let all = Quotation.all(in: Project.File(path: "A.swift", text: line))
        #expect(all.map(\.names) == [["A", "b"], ["aName"], [], ["f"], ["HTTPThing"], [], []])
        #expect(all.map(\.isLink) == [true, false, false, false, false, false, false])
        #expect(all.compactMap(\.option) == ["an-option"] && "an-option"[...].property == "anOption")
        #expect(all.compactMap(\.path) == ["docs/a.md"])
    }
}

/// What stands between backticks in a document or a comment.
private struct Quotation: CustomStringConvertible {
    let file: String
    let line: Int
    let text: Substring
    /// Whether the text stands between double backticks: a link of DocC.
    let isLink: Bool

    var description: String { "\(file):\(line): \(text)" }

    /// The quotations in the comments of code, or in all lines of a document.
    static func all(in file: Project.File) -> [Quotation] {
        let isCode = file.path.hasSuffix(".swift")
        var all: [Quotation] = []
        for (number, line) in file.lines.enumerated() {
            let text = isCode ? line[file.code[number].endIndex...] : line
            let pieces = text.utf8.split(separator: UInt8(ascii: "`"), omittingEmptySubsequences: false)
            var next = 1
            while next + 1 < pieces.count {
                let isLink = pieces[next].isEmpty
                all.append(
                    .init(
                        file: file.path, line: number + 1, text: .init(pieces[next + (isLink ? 1 : 0)]), isLink: isLink)
                )
                next += isLink ? 4 : 2
            }
        }
        return all
    }

    /// The parts of a name, without its arguments; empty if the text is no name.
    var parts: [Substring] {
        let name = text.last == ")" ? text.prefix { $0 != "(" } : text
        guard let first = name.utf8.first, first > UInt8(ascii: "9"),
            name.utf8.allSatisfy({ $0.isOfWord || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") })
        else { return [] }
        return name.split { $0 == "." || $0 == "/" }
    }

    /// The parts that must exist.
    var names: [Substring] {
        guard path == nil else { return [] }
        let isName = isLink || text.hasSuffix("()") || text.hasSuffix(":)")
        return parts.filter { part in
            isName || part.utf8.contains { $0.isLowercase } && part.utf8.dropFirst().contains { $0.isUppercase }
        }
    }

    /// The option that the text begins with, without its dashes.
    var option: Substring? {
        guard text.hasPrefix("--") else { return nil }
        let option = text.dropFirst(2).prefix { $0 == "-" || $0.isLetter }
        return option.isEmpty ? nil : option
    }

    /// The path that the text is, if it is one.
    var path: String? {
        guard !isLink, text.utf8.allSatisfy({ $0.isOfWord || "+-./".utf8.contains($0) }), text.first != "/",
            text.hasSuffix(".swift") || text.hasSuffix(".md") || text.utf8.contains(UInt8(ascii: "/"))
        else { return nil }
        return text.split(separator: "/").joined(separator: "/")
    }
}

extension UInt8 {
    fileprivate var isUppercase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    fileprivate var isLowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    /// Whether the byte is a letter, a digit, or an underscore.
    fileprivate var isOfWord: Bool {
        isUppercase || isLowercase || self == UInt8(ascii: "_")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}

extension Substring {
    /// The words of a line.
    fileprivate var words: [Substring] { utf8.split { !$0.isOfWord }.map { Substring($0) } }

    /// The property that stands for an option.
    fileprivate var property: Substring {
        let words = split(separator: "-")
        return words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
