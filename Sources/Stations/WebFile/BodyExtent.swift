// SPDX-License-Identifier: MIT

/// How much of a body has been received, compared with the length that its head announced.
enum BodyExtent: Hashable {
    /// Exactly the announced length.
    case whole
    /// The head announced no length: only its end marks the body as whole.
    case unannounced
    /// The received length differs from the announced length.
    case other
}
