// SPDX-License-Identifier: MIT

import RadioFormats

extension JSONValue? {
    /// The text in a form for a terminal; empty if this is no text.
    var shown: String { TitleText.cleaned(self?.stringValue ?? "") }

    /// The elements; none if this is no array.
    var list: [JSONValue] { self?.arrayValue ?? [] }
}
