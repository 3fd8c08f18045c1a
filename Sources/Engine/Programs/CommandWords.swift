// SPDX-License-Identifier: MIT

/// Splits a command line into the words that a program gets, without a shell.
///
/// Blanks separate words. Between two `'`, everything stands for itself; between two `"`, everything but `\` and `"`;
/// a `\` makes the next character stand for itself. Nothing else has a meaning: no variables, patterns or redirections.
package enum CommandWords {
    /// Why a text is not a command line. The description addresses the person who typed it.
    package enum ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        case empty
        /// A quotation mark that is opened but not closed.
        case quoteUnclosed(Character)
        /// A backslash at the end.
        case nothingEscaped

        package var description: String {
            switch self {
            case .empty: "it names no program"
            case .quoteUnclosed(let quote): "a \(quote) in it is never closed"
            case .nothingEscaped: "it ends in a backslash with no character after it"
            }
        }
    }

    /// Parses a command line: at least one word, of which the first is not empty.
    package static func parse(_ text: String) throws(ParseError) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in text {
            if isEscaped {
                word = (word ?? "") + [character]
                isEscaped = false
            } else if character == "\\", quote != "'" {
                word = word ?? ""
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                word = word ?? ""
                quote = character
            } else if quote == nil, character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + [character]
            }
        }
        if let quote { throw .quoteUnclosed(quote) }
        if isEscaped { throw .nothingEscaped }
        if let word { words.append(word) }
        guard words.first?.isEmpty == false else { throw .empty }
        return words
    }
}
