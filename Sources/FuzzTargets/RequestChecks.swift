// SPDX-License-Identifier: MIT

import HTTPServer
import Instants

/// Checks heads of requests from any client.
enum RequestChecks {
    /// Checks the parsing of a head, which must be the same for every split of the input: it must give the same head or
    /// the same refusal. An accepted head must be safe for handlers.
    static func complaint(about bytes: [UInt8]) -> String? {
        let whole = Outcome(of: [bytes[...]])
        if whole != Outcome(of: InputSplit.pieces(of: bytes)) { return "another split, another request" }
        guard case .head(let head, let length) = whole else { return nil }
        let limits = HTTPHeadParser.Limits()
        if length > limits.head { return "a head of \(length) bytes" }
        if head.fields.count > limits.fields { return "\(head.fields.count) fields" }
        for field in head.fields {
            if field.name != field.name.lowercased() || field.name.isEmpty { return "a field called \(field.name)" }
            if hasControls(field.value) { return "control characters in \(field.name)" }
        }
        return complaint(about: head.target) ?? complaint(aboutAnswerTo: head)
    }

    /// Checks the answer for all conditions and ranges: it must never exceed the body, and must have the length that
    /// its head states.
    private static func complaint(aboutAnswerTo head: HTTPRequestHead) -> String? {
        for length in [0, 1, 1000] {
            let representation = HTTPRepresentation(
                .bytes(Array(repeating: 0, count: length)), entityTag: HTTPEntityTag("a"),
                modified: WallInstant(nanoseconds: 784_111_777_500_000_000))
            let response = representation.response(to: head)
            let place = response.fields.first { $0.name == "Content-Range" }?.value
            switch response.status {
            case .ok where response.body.count == length, .notModified, .preconditionFailed: break
            case .rangeNotSatisfiable where place == "bytes */\(length)": break
            case .partialContent where (1...length).contains(response.body.count) && place != nil: break
            default: return "\(response.status) with \(response.body.count) of \(length) bytes, \(place ?? "whole")"
            }
        }
        return nil
    }

    private static func complaint(about target: HTTPTarget) -> String? {
        if target.path != "*", !target.path.hasPrefix("/") { return "a path that begins nowhere: \(target.path)" }
        if target.path.split(separator: "/").contains("..") { return "a path that climbs: \(target.path)" }
        if hasControls(target.path) || hasControls(target.query) { return "control characters in the target" }
        for name in ["burst", "a", ""] {
            if let value = target.queryValue(name), value.utf8.contains(0) { return "a NUL in the query" }
        }
        return nil
    }

    private static func hasControls(_ text: String) -> Bool {
        text.utf8.contains { ($0 < 0x20 && $0 != UInt8(ascii: "\t")) || $0 == 0x7f }
    }

    private enum Outcome: Equatable {
        case head(HTTPRequestHead, length: Int)
        case refused(HTTPRequestError)
        case unfinished

        init(of pieces: [ArraySlice<UInt8>]) {
            var parser = HTTPHeadParser()
            var length = 0
            self = .unfinished
            for piece in pieces {
                do throws(HTTPRequestError) {
                    guard case .head(let head, let consumed) = try parser.read(piece) else {
                        length += piece.count
                        continue
                    }
                    self = .head(head, length: length + consumed)
                } catch {
                    self = .refused(error)
                }
                return
            }
        }
    }
}

extension HTTPHeadParser {
    fileprivate mutating func read(_ piece: ArraySlice<UInt8>) throws(HTTPRequestError) -> Progress {
        try piece.withUnsafeBufferPointer { bytes throws(HTTPRequestError) in try read(UnsafeRawBufferPointer(bytes)) }
    }
}
