// SPDX-License-Identifier: MIT

/// A frame of an ID3v2 tag, of the kinds that contain text. The parser skips all others.
package enum ID3v2Frame: Hashable, Sendable {
    /// `T***`: a text under a known name, such as `TIT2`. Several values are joined by " / ".
    case text(id: String, String)
    /// `TXXX`: a text under a custom name.
    case userText(description: String, String)
    /// `COMM`: a comment. The language is three letters of ISO 639-2.
    case comment(language: String, description: String, String)
    /// `W***`: an address, such as `WOAS` (the official page of the source).
    case link(id: String, String)

    /// The four letters that identify the frame in a tag.
    package var id: String {
        switch self {
        case .text(let id, _), .link(let id, _): id
        case .userText: "TXXX"
        case .comment: "COMM"
        }
    }

    /// The text without names and descriptions.
    package var value: String {
        switch self {
        case .text(_, let value), .userText(_, let value), .comment(_, _, let value), .link(_, let value): value
        }
    }
}
