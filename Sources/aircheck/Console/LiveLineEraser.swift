// SPDX-License-Identifier: MIT

/// Erases a live line, also after the window has become narrower. Pure.
///
/// Most terminals then break the line into several rows, and leave the cursor in the last of them. The others cut the
/// line off.
struct LiveLineEraser {
    /// Whether the terminal breaks lines that no longer fit.
    private let breaksLines: Bool

    /// `environment`: the variables by which a terminal names itself.
    init(_ environment: (String) -> String?) {
        let type = environment("TERM") ?? ""
        breaksLines = environment("XTERM_VERSION") == nil && type != "linux" && !type.hasPrefix("rxvt")
    }

    /// The characters that erase a line of `columns`, and leave the cursor where it began.
    func erasing(_ columns: Int, width: Int) -> String {
        let rows = (columns + max(1, width) - 1) / max(1, width)
        guard breaksLines, rows > 1 else { return "\r\u{1B}[K" }
        return "\r\u{1B}[\(rows - 1)A\u{1B}[J"
    }
}
