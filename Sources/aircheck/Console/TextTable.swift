// SPDX-License-Identifier: MIT

/// Lays out rows of text in columns. Pure.
enum TextTable {
    /// The rows as lines of at most `width` terminal columns. Each column is as wide as its longest text, up to 50;
    /// longer texts are cut, except in the last column. A line that is too long is cut at its end. If the width has no
    /// limit, as in a pipe, nothing is cut.
    ///
    /// `narrow`: the widths of the first columns, which must stay visible. If these columns do not fit, they are cut to
    /// these widths.
    static func lines(_ rows: [[String]], width: Int, narrow: [Int] = []) -> [String] {
        guard width < .max else { return lines(rows, width) }
        let limited = limit(rows) { _ in widest }
        let natural = limited.map { Array($0.prefix(narrow.count)) }
        guard widths(natural).reduce(-gap, { $0 + gap + $1 }) > width else { return lines(limited, width) }
        return lines(limit(limited) { narrow.indices.contains($0) ? narrow[$0] : widest }, width)
    }

    /// Cuts the texts of all columns but the last one.
    private static func limit(_ rows: [[String]], _ limit: (Int) -> Int) -> [[String]] {
        rows.map { row in
            row.enumerated().map { $0 < row.count - 1 ? DisplayWidth.cut($1, to: limit($0)) : $1 }
        }
    }

    private static func widths(_ rows: [[String]]) -> [Int] {
        (0..<(rows.map(\.count).max() ?? 0)).map { column in
            rows.map { $0.indices.contains(column) ? DisplayWidth.of($0[column]) : 0 }.max() ?? 0
        }
    }

    private static func lines(_ rows: [[String]], _ width: Int) -> [String] {
        let widths = widths(rows)
        return rows.map { row in
            var line = ""
            for (column, text) in row.enumerated() {
                line += text
                guard column < row.count - 1 else { break }
                line += String(repeating: " ", count: widths[column] - DisplayWidth.of(text) + gap)
            }
            while line.last == " " { line.removeLast() }
            return DisplayWidth.cut(line, to: width)
        }
    }

    private static let widest = 50
    /// The space between two columns.
    private static let gap = 2
}
