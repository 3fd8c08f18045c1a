// SPDX-License-Identifier: MIT

/// One row of the table: the measured quantity, the peer's value from the same run, and the goal.
struct Figure {
    var name: String
    var ours: String
    var peer: String
    /// The value that is compared with the goal: the ratio to the peer, or an absolute value.
    var value: Double
    var goal: Goal

    enum Goal {
        case atLeast(Double)
        case atMost(Double)
        /// The figure has no goal; it is shown for information.
        case none
    }

    var isMet: Bool {
        switch goal {
        case .atLeast(let least): value >= least
        case .atMost(let most): value <= most
        case .none: true
        }
    }

    /// The cells of the row.
    var cells: [String] {
        let (bound, verdict) =
            switch goal {
            case .atLeast(let least): ("≥ \(decimal(least))", isMet ? "ok" : "MISSED")
            case .atMost(let most): ("≤ \(decimal(most))", isMet ? "ok" : "MISSED")
            case .none: ("", "")
            }
        return [name, ours, peer, decimal(value), bound, verdict]
    }
}

/// Formats a number with about three significant digits, without an exponent.
func decimal(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "–" }
    let digits = value.magnitude >= 100 ? 0 : value.magnitude >= 10 ? 1 : value.magnitude >= 1 ? 2 : 3
    let scale = (0..<digits).reduce(Int64(1)) { power, _ in power * 10 }
    let scaled = Int64((value.magnitude * Double(scale)).rounded())
    let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: scale)
    var text = value < 0 ? "-\(whole)" : "\(whole)"
    guard fraction > 0 else { return text }
    let padded = String(scale + fraction).dropFirst()
    text += "." + padded
    while text.last == "0" { text.removeLast() }
    return text
}

/// Formats a ratio as a percentage.
func percent(_ share: Double) -> String { decimal(share * 100) + " %" }
