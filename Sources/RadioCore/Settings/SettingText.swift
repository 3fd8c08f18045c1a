// SPDX-License-Identifier: MIT

/// A text that mentions settings, and gets the reader's own names for them only when it is shown: `"only with
/// \(.onDemand)"`.
package struct SettingText: Hashable, Sendable, ExpressibleByStringInterpolation {
    fileprivate enum Piece: Hashable {
        case words(String)
        case field(SettingField)
    }

    private var pieces: [Piece]

    package init(_ words: String) {
        pieces = [.words(words)]
    }

    package init(stringLiteral words: String) {
        self.init(words)
    }

    package init(stringInterpolation: StringInterpolation) {
        pieces = stringInterpolation.pieces
    }

    /// The text, with each setting named by `name`.
    package func words(_ name: (SettingField) -> String) -> String {
        pieces.map { piece in
            switch piece {
            case .words(let words): words
            case .field(let field): name(field)
            }
        }.joined()
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { pieces.append(.words(literal)) }
        package mutating func appendInterpolation(_ field: SettingField) { pieces.append(.field(field)) }
        package mutating func appendInterpolation(_ value: some Any) { pieces.append(.words("\(value)")) }
    }
}
