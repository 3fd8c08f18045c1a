// SPDX-License-Identifier: MIT

/// Figures as a Markdown table, so that what a terminal shows can stand in a document.
enum Table {
    private static let head = ["figure", "Aircheck", "peer", "value", "goal", ""]

    /// Prints figures and says whether all goals are met.
    static func show(_ figures: [Figure]) -> Bool {
        let rows = [head] + figures.map(\.cells)
        let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for (number, row) in rows.enumerated() {
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            print("| " + cells.joined(separator: " | ") + " |")
            guard number == 0 else { continue }
            print("|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|")
        }
        return figures.allSatisfy(\.isMet)
    }
}
