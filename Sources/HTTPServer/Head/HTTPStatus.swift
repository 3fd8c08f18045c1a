// SPDX-License-Identifier: MIT

/// A status code with its reason phrase (RFC 9110, section 15; RFC 5842 for 508).
package enum HTTPStatus: Int, Hashable, Sendable, CaseIterable {
    case ok = 200
    case noContent = 204
    case partialContent = 206
    case notModified = 304
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case requestTimeout = 408
    case preconditionFailed = 412
    case contentTooLarge = 413
    case uriTooLong = 414
    case rangeNotSatisfiable = 416
    case misdirectedRequest = 421
    case tooManyRequests = 429
    case headerFieldsTooLarge = 431
    case notImplemented = 501
    case serviceUnavailable = 503
    case loopDetected = 508

    package var reason: String {
        switch self {
        case .ok: "OK"
        case .noContent: "No Content"
        case .partialContent: "Partial Content"
        case .notModified: "Not Modified"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .requestTimeout: "Request Timeout"
        case .preconditionFailed: "Precondition Failed"
        case .contentTooLarge: "Content Too Large"
        case .uriTooLong: "URI Too Long"
        case .rangeNotSatisfiable: "Range Not Satisfiable"
        case .misdirectedRequest: "Misdirected Request"
        case .tooManyRequests: "Too Many Requests"
        case .headerFieldsTooLarge: "Request Header Fields Too Large"
        case .notImplemented: "Not Implemented"
        case .serviceUnavailable: "Service Unavailable"
        case .loopDetected: "Loop Detected"
        }
    }
}
