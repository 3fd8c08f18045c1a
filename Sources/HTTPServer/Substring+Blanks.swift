// SPDX-License-Identifier: MIT

extension Substring {
    /// The text without the spaces and tabs at both ends.
    var withoutBlanks: Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        return drop(while: isBlank).reversedDrop(while: isBlank)
    }

    private func reversedDrop(while predicate: (Character) -> Bool) -> Substring {
        guard let last = lastIndex(where: { !predicate($0) }) else { return "" }
        return self[...last]
    }
}
