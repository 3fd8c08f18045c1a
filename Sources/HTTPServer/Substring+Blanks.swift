// SPDX-License-Identifier: MIT

import RadioFormats

extension Substring {
    /// The text without the spaces and tabs at both ends.
    var withoutBlanks: Substring { trimmed { $0 == " " || $0 == "\t" } }
}
