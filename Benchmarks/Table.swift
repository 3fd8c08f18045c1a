// SPDX-License-Identifier: MIT

/// Prints Markdown tables, so that output can be copied into a document.
enum Table {
    private static let head = ["figure", "Aircheck", "peer", "value", "goal", ""]

    /// Prints figures; returns whether all goals are met.
    static func show(_ figures: [Figure]) -> Bool {
        show(head, figures.map(\.cells))
        return figures.allSatisfy(\.isMet)
    }

    /// Prints a separate table under a title.
    static func show(_ title: String, _ head: [String], _ rows: [[String]]) {
        print("\(title):\n")
        show(head, rows)
        print()
    }

    private static func show(_ head: [String], _ body: [[String]]) {
        let rows = [head] + body
        let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for (number, row) in rows.enumerated() {
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            print("| " + cells.joined(separator: " | ") + " |")
            guard number == 0 else { continue }
            print("|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|")
        }
    }
}
