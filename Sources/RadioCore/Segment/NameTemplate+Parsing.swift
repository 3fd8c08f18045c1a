// SPDX-License-Identifier: MIT

extension NameTemplate {
    /// The fault in a template, and the position of its character, counted from 1.
    package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        package enum Problem: Hashable, Sendable {
            case empty
            /// More than ``NameTemplate/maxCharacters`` characters or ``NameTemplate/maxComponents`` folders.
            case tooLong
            case unknownField(Character)
            /// A `%` at the end.
            case fieldMissing
            case unknownPlaceholder(String)
            /// A `{` without its `}`.
            case placeholderUnclosed
            case absolute
            /// `.` or `..` between slashes.
            case leavesFolder
            /// Nothing, or blanks and dots alone, between slashes.
            case emptyComponent
        }

        package var problem: Problem
        package var position: Int

        init(_ problem: Problem, at position: Int) {
            self.problem = problem
            self.position = position
        }
    }

    package static let maxCharacters = 1000
    package static let maxComponents = 8

    /// Parses a template.
    package init(parsing text: String) throws(ParseError) {
        guard !text.isEmpty else { throw ParseError(.empty, at: 1) }
        guard text.unicodeScalars.count <= NameTemplate.maxCharacters else {
            throw ParseError(.tooLong, at: NameTemplate.maxCharacters)
        }
        guard text.unicodeScalars.first != "/" else { throw ParseError(.absolute, at: 1) }
        var parser = TemplateParser(text)
        var parts: [[Token]] = []
        repeat {
            let start = parser.position
            let tokens = try parser.component()
            try NameTemplate.check(tokens, at: start)
            guard parts.count < NameTemplate.maxComponents else { throw ParseError(.tooLong, at: start) }
            parts.append(tokens)
        } while parser.skipSlash()
        self.init(text: text, parts: parts)
    }

    private static func check(_ tokens: [Token], at position: Int) throws(ParseError) {
        var literal = ""
        for token in tokens {
            guard case .literal(let text) = token else { return }
            literal += text
        }
        if literal == "." || literal == ".." { throw ParseError(.leavesFolder, at: position) }
        if SafeName.isEmpty(literal) { throw ParseError(.emptyComponent, at: position) }
    }
}

/// Parses the scalars of a template, not its characters: an accent after a slash forms one character with it, and would
/// hide the slash.
private struct TemplateParser {
    private let characters: [Unicode.Scalar]
    private var index = 0

    init(_ text: String) {
        characters = Array(text.unicodeScalars)
    }

    /// The position of the next character, counted from 1.
    var position: Int { index + 1 }

    /// Returns the tokens up to the next slash or the end.
    mutating func component() throws(NameTemplate.ParseError) -> [NameTemplate.Token] {
        var tokens: [NameTemplate.Token] = []
        var literal = ""
        while index < characters.count, characters[index] != "/" {
            switch characters[index] {
            case "%" where index + 1 < characters.count && characters[index + 1] == "%":
                literal.unicodeScalars.append("%")
                index += 2
            case "%":
                if !literal.isEmpty { tokens.append(.literal(literal)) }
                literal = ""
                tokens.append(.field(try field()))
            case "{":
                if !literal.isEmpty { tokens.append(.literal(literal)) }
                literal = ""
                tokens.append(.placeholder(try placeholder()))
            case let character:
                literal.unicodeScalars.append(character)
                index += 1
            }
        }
        if !literal.isEmpty { tokens.append(.literal(literal)) }
        return tokens
    }

    /// Skips the slash; returns false at the end of the text.
    mutating func skipSlash() -> Bool {
        guard index < characters.count else { return false }
        index += 1
        return true
    }

    private mutating func field() throws(NameTemplate.ParseError) -> NameTemplate.TimeField {
        guard index + 1 < characters.count else { throw NameTemplate.ParseError(.fieldMissing, at: position) }
        let letter = Character(characters[index + 1])
        guard let field = NameTemplate.TimeField(rawValue: letter) else {
            throw NameTemplate.ParseError(.unknownField(letter), at: position)
        }
        index += 2
        return field
    }

    private mutating func placeholder() throws(NameTemplate.ParseError) -> NameTemplate.Placeholder {
        guard let end = characters[index...].firstIndex(of: "}") else {
            throw NameTemplate.ParseError(.placeholderUnclosed, at: position)
        }
        let name = String(String.UnicodeScalarView(characters[index + 1..<end]))
        guard let placeholder = NameTemplate.Placeholder(rawValue: name) else {
            throw NameTemplate.ParseError(.unknownPlaceholder(name), at: position)
        }
        index = end + 1
        return placeholder
    }
}

extension NameTemplate.ParseError {
    package var description: String {
        switch problem {
        case .empty: "the name template is empty"
        case .tooLong:
            """
            the name template is too long: at most \(NameTemplate.maxCharacters) characters in \
            \(NameTemplate.maxComponents) parts
            """
        case .unknownField(let character):
            "%\(character) at character \(position) is not a field; use \(fields), or %% for a percent sign"
        case .fieldMissing: "nothing follows the % at character \(position); write %% for a percent sign"
        case .unknownPlaceholder(let name):
            "{\(name)} at character \(position) is not a placeholder; use one of \(placeholders)"
        case .placeholderUnclosed: "the { at character \(position) has no }; use one of \(placeholders)"
        case .absolute: "the name template begins with a slash; it must be a path inside the output folder"
        case .leavesFolder: "the part at character \(position) leaves its folder; \".\" and \"..\" are not allowed"
        case .emptyComponent: "the part at character \(position) is empty; a name is needed on both sides of each slash"
        }
    }

    private var fields: String {
        NameTemplate.TimeField.allCases.map { "%\($0.rawValue)" }.joined(separator: " ")
    }

    private var placeholders: String {
        NameTemplate.Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
    }
}
