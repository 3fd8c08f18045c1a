// SPDX-License-Identifier: MIT

/// How much of a body has been received, compared with the length that its head announced.
enum BodyExtent: Hashable {
    /// Exactly the announced length, from a server without any sign of a radio server.
    case whole
    /// The head announced no length, and showed no sign of a radio server: only its end marks the body as whole.
    case unannounced
    /// The received length differs from the announced length, or the server is a radio server.
    case other
}
