// SPDX-License-Identifier: MIT

import CurlClient

/// How much of a body has been received, compared with the length that its head announced.
enum BodyExtent: Hashable {
    /// Exactly the announced length.
    case whole
    /// The head announced no length: only its end marks the body as whole.
    case unannounced
    /// The received length differs from the announced length.
    case other

    /// `received` bytes have come of the body with this head.
    init(_ received: Int64, _ head: ResponseHead?) {
        let length = head?["content-length"]
        self = length.flatMap { Int64($0) } == received ? .whole : head != nil && length == nil ? .unannounced : .other
    }
}
