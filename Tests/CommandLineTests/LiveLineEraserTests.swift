// SPDX-License-Identifier: MIT

import Testing

@testable import aircheck

/// How the live line is erased after the window has changed its size.
struct LiveLineEraserTests {
    @Test(
        "A line that the terminal has broken into rows is erased in all of them",
        arguments: [
            ("xterm-256color", nil, 60, 80, "\r\u{1B}[K"), ("xterm-256color", nil, 60, 40, "\r\u{1B}[1A\u{1B}[J"),
            ("tmux-256color", nil, 79, 20, "\r\u{1B}[3A\u{1B}[J"), ("xterm", "XTerm(379)", 60, 40, "\r\u{1B}[K"),
            ("linux", nil, 60, 40, "\r\u{1B}[K"), ("xterm-256color", nil, 0, 40, "\r\u{1B}[K"),
            ("xterm-256color", nil, 40, 40, "\r\u{1B}[K"),
        ])
    func erasing(type: String, version: String?, columns: Int, width: Int, text: String) {
        let eraser = LiveLineEraser { ["TERM": type, "XTERM_VERSION": version][$0] ?? nil }
        #expect(eraser.erasing(columns, width: width) == text)
    }
}
