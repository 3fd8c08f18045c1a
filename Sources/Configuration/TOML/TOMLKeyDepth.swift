// SPDX-License-Identifier: MIT

/// Finds keys with too many dotted parts before a document is parsed. Each part is a table within the table of the
/// previous part, and the parser releases tables recursively: a key of a megabyte would exhaust the stack.
///
/// The search understands only enough of TOML to skip strings and comments. In an invalid document it may misread the
/// text after the error, but the parser does not get that far.
struct TOMLKeyDepth {
    /// The maximum number of parts.
    let limit: Int

    /// The position of the first key with more parts than the limit; nil if there is none.
    func excess(in bytes: [UInt8]) -> TOMLPosition? {
        var scanner = Scanner(bytes: bytes)
        return scanner.firstRun(of: limit)
    }

    private struct Scanner {
        let bytes: [UInt8]
        var index = 0
        var line = 1
        /// The index of the line's first byte.
        var lineStart = 0

        /// The position of the `limit`th dot of the first run with that many dots; nil if there is none. Within a run,
        /// only names, strings and blanks lie between the dots.
        mutating func firstRun(of limit: Int) -> TOMLPosition? {
            var dots = 0
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "."):
                    dots += 1
                    guard dots < limit else { return TOMLPosition(line: line, column: index - lineStart + 1) }
                case UInt8(ascii: "\n"):
                    dots = 0
                    beginLine()
                case UInt8(ascii: "#"):
                    while index + 1 < bytes.count, bytes[index + 1] != UInt8(ascii: "\n") { index += 1 }
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    skipString(bytes[index])
                    continue
                case UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
                    UInt8(ascii: "}"):
                    dots = 0
                default: break
                }
                index += 1
            }
            return nil
        }

        /// Counts the line that begins after the current byte.
        private mutating func beginLine() {
            line += 1
            lineStart = index + 1
        }

        /// Skips from the opening quote to the byte after the string. If the string is not closed on its line, skips to
        /// the end of the line.
        private mutating func skipString(_ quote: UInt8) {
            let opening = quotes(quote)
            index += min(opening, 3)
            // Two quotes are an empty string.
            guard opening != 2 else { return }
            let isLong = opening >= 3
            while index < bytes.count {
                switch bytes[index] {
                case quote where !isLong:
                    index += 1
                    return
                case quote:
                    let count = quotes(quote)
                    // The last two characters of a long string may be quotes, which stand before the three closing
                    // quotes.
                    index += min(count, 5)
                    if count >= 3 { return }
                case UInt8(ascii: "\\") where quote == UInt8(ascii: "\"") && next != UInt8(ascii: "\n"):
                    index += 2
                case UInt8(ascii: "\n"):
                    guard isLong else { return }
                    beginLine()
                    index += 1
                default: index += 1
                }
            }
        }

        private var next: UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }

        /// The number of consecutive quotes that begin at the current byte, counted up to five.
        private func quotes(_ quote: UInt8) -> Int {
            var count = 0
            while count < 5, index + count < bytes.count, bytes[index + count] == quote { count += 1 }
            return count
        }
    }
}
