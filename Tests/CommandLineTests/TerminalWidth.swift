// SPDX-License-Identifier: MIT

import Glibc
import TestTools

/// The columns that the C library gives to a text (`wcwidth`): the reference for our own table.
struct TerminalWidth {
    private let width: @convention(c) (wchar_t) -> CInt

    /// Swift's Glibc module lacks the function, but the library has it.
    init() throws {
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "wcwidth") else { throw SetupError("no wcwidth") }
        width = unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> CInt).self)
    }

    func of(_ text: String) -> Int { of(Array(text.unicodeScalars)).reduce(0) { $0 + ($1 ?? 0) } }

    /// The columns of each code point; nil for those that are not printed.
    func of(_ scalars: [Unicode.Scalar]) -> [Int?] {
        let locale = newlocale(CInt(1 << LC_CTYPE), "C.UTF-8", nil)
        let before = uselocale(locale)
        defer {
            uselocale(before)
            freelocale(locale)
        }
        return scalars.map { scalar in
            let columns = Int(width(wchar_t(scalar.value)))
            return columns < 0 ? nil : columns
        }
    }
}
