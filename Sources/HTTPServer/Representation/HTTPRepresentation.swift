// SPDX-License-Identifier: MIT

package import Instants
import RadioCore

/// The present state of a resource: bytes that can be sent in parts, and the validators by which clients check their
/// copies (RFC 9110, section 3.2).
package struct HTTPRepresentation: Sendable {
    package var body: HTTPBody
    /// `Content-Type`, and other fields for the answers.
    package var fields: [HTTPField]
    package var entityTag: HTTPEntityTag?
    package var modified: WallInstant?

    package init(
        _ body: HTTPBody, fields: [HTTPField] = [], entityTag: HTTPEntityTag? = nil, modified: WallInstant? = nil
    ) {
        self.body = body
        self.fields = fields
        self.entityTag = entityTag
        self.modified = modified
    }

    /// The whole of a file.
    package init(_ file: HTTPFile, fields: [HTTPField] = []) {
        self.init([HTTPFilePart(file, 0..<file.size)], fields: fields)
    }

    /// Parts of files, one after the other.
    package init(_ parts: [HTTPFilePart], fields: [HTTPField] = []) {
        self.init(
            .files(parts), fields: fields, entityTag: HTTPEntityTag(of: parts),
            modified: parts.map(\.file.modified).max())
    }

    /// The answer to a GET or HEAD request: the whole, a part, or the reason why neither is sent.
    package func response(to head: HTTPRequestHead) -> HTTPResponse {
        let length = body.count
        switch HTTPSelection.of(length, entityTag, modified: modified, for: head) {
        case .whole:
            return HTTPResponse(
                .ok, fields: fields + validators + [HTTPField("Accept-Ranges", "bytes")], body: body)
        case .part(let range):
            let place = HTTPField("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)")
            return HTTPResponse(.partialContent, fields: fields + validators + [place], body: body.part(range))
        case .notModified:
            return HTTPResponse(.notModified, fields: fields.filter { $0.name != "Content-Type" } + validators)
        case .preconditionFailed:
            return HTTPResponse(.preconditionFailed, text: "the content has changed")
        case .unsatisfiable:
            let field = HTTPField("Content-Range", "bytes */\(length)")
            return HTTPResponse(.rangeNotSatisfiable, fields: [field], text: "the requested range does not exist")
        }
    }

    private var validators: [HTTPField] {
        [
            entityTag.map { HTTPField("ETag", "\($0)") },
            modified.map { HTTPField("Last-Modified", CivilTime($0, utcOffset: 0).httpDate) },
        ].compactMap { $0 }
    }
}

extension HTTPExchange {
    /// Answers a GET or HEAD request; see ``HTTPRepresentation/response(to:)``.
    package func respond(with representation: HTTPRepresentation) {
        respond(representation.response(to: request.head))
    }
}
