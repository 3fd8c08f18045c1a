// SPDX-License-Identifier: MIT

/// Lays out rows of text in columns. Pure.
enum TextTable {
    /// The rows as lines of at most `width` columns, each column as wide as its longest text. What does not fit is cut
    /// at the end of the line. A text that is too long for a column is cut, except in the last one.
    static func lines(_ rows: [[String]], width: Int) -> [String] {
        let rows = rows.map { row in
            row.enumerated().map { $0 < row.count - 1 ? DisplayWidth.cut($1, to: widest) : $1 }
        }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { $0.indices.contains(column) ? DisplayWidth.of($0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, text) in row.enumerated() {
                line += text
                guard column < row.count - 1 else { break }
                line += String(repeating: " ", count: widths[column] - DisplayWidth.of(text) + 2)
            }
            while line.last == " " { line.removeLast() }
            return DisplayWidth.cut(line, to: width)
        }
    }

    private static let widest = 50
}
