// SPDX-License-Identifier: MIT

/// Text in the macros of man(7).
enum Roff {
    /// Running text: text in 'quotes' and --options are bold. Each sentence begins a new line, and lines wrap at 80
    /// columns.
    static func text(_ plain: String) -> String {
        var lines = [""]
        for word in marked(plain).split(separator: " ") {
            let isFull = lines[lines.count - 1].count + word.count >= 80
            if isFull || lines[lines.count - 1].contains(/[.!?]$/) { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines.map(guarded).joined(separator: "\n")
    }

    static func bold(_ literal: some StringProtocol) -> String { "\\fB\(escaped(literal, isLiteral: true))\\fR" }

    static func italic(_ placeholder: some StringProtocol) -> String {
        "\\fI\(escaped(placeholder, isLiteral: true))\\fR"
    }

    /// An argument of a macro such as `.TH`.
    static func argument(_ text: String) -> String {
        "\"\(escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq"))\""
    }

    /// A usage line: `<placeholders>` are in italics, and everything else except brackets and dots is bold.
    static func usage(_ line: some StringProtocol) -> String {
        line.split(separator: " ").map { word in
            var result = ""
            var rest = Substring(word)
            while !rest.isEmpty {
                if let match = rest.prefixMatch(of: /<([^>]*)>/) {
                    result += italic(match.output.1)
                    rest = rest[match.range.upperBound...]
                } else if let match = rest.prefixMatch(of: /[\[\]|.]+/) {
                    result += escaped(match.output)
                    rest = rest[match.range.upperBound...]
                } else if let match = rest.prefixMatch(of: /[^<\[\]|.]+/) {
                    result += bold(match.output)
                    rest = rest[match.range.upperBound...]
                } else {
                    result += escaped(rest)
                    rest = ""
                }
            }
            return result
        }.joined(separator: " ")
    }

    /// Lines that stay as they are, such as commands to type.
    static func example(_ lines: [some StringProtocol]) -> [String] {
        [".PP", ".RS 4", ".nf"] + lines.map { guarded(escaped($0, isLiteral: true)) } + [".fi", ".RE"]
    }

    /// The text, escaped so that its characters print unchanged. In literals each `-` is printed as a minus, which can
    /// be copied.
    static func escaped(_ text: some StringProtocol, isLiteral: Bool = false) -> String {
        let characters = Array(text.unicodeScalars)
        var result = ""
        for (index, character) in characters.enumerated() {
            switch character {
            case "\\": result += "\\e"
            case "~": result += "\\(ti"
            case "^": result += "\\(ha"
            case "`": result += "\\(ga"
            case "'" where isLiteral: result += "\\(aq"
            case "-":
                let neighbours = [index - 1, index + 1].filter(characters.indices.contains).map { characters[$0] }
                let isHyphen = neighbours.count == 2 && neighbours.allSatisfy(\.properties.isAlphabetic)
                result += isHyphen && !isLiteral ? "-" : "\\-"
            case _ where character.isASCII: result.unicodeScalars.append(character)
            default:
                let digits = String(character.value, radix: 16, uppercase: true)
                result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
            }
        }
        return result
    }

    /// A line that begins with a dot or an apostrophe would be a macro.
    private static func guarded(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }

    /// The text escaped, with its literals in bold.
    private static func marked(_ plain: String) -> String {
        var result = ""
        var plainPart = ""
        var rest = plain[...]
        while let character = rest.first {
            let isBeginning = plainPart.last.map { " (/\n".contains($0) } ?? true
            let literal =
                isBeginning
                ? rest.prefixMatch(of: /'([^'\n]+)'(?![A-Za-z])/).map { ($0.output.1, $0.range.upperBound) }
                    ?? rest.prefixMatch(of: /--[a-z][a-z-]*/).map { ($0.output[...], $0.range.upperBound) }
                : nil
            if let (literal, end) = literal {
                result += escaped(plainPart) + bold(literal)
                plainPart = ""
                rest = rest[end...]
                // The character directly after a literal does not begin another one.
                if let next = rest.first {
                    plainPart.append(next)
                    rest = rest.dropFirst()
                }
            } else {
                plainPart.append(character == "\n" ? " " : character)
                rest = rest.dropFirst()
            }
        }
        return result + escaped(plainPart)
    }
}
