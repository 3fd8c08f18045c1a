// SPDX-License-Identifier: MIT

/// What a file or a stream must begin with, so that a decoder takes the frames behind it, whichever is the first. Pages
/// bring their own (``OggPaginator``), and tags are nothing that a decoder needs. A value.
package protocol FileHead: Sendable {
    /// Samples in all of the file's frames; 0 where that is not known (yet).
    var samples: Int64 { get set }
    /// Always of the same length.
    var bytes: [UInt8] { get }
}
