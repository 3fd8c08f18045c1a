// SPDX-License-Identifier: MIT

/// The head that a file or a stream must begin with so that a decoder accepts the frames after it, whichever frame
/// comes first. Ogg does not use it (``OggPaginator`` writes the head of an Ogg file). The head contains no tags,
/// because decoders do not need them. A value.
package protocol FileHead: Sendable {
    /// The number of samples in all of the file's frames; 0 while it is unknown.
    var samples: Int64 { get set }
    /// The bytes of the head; their number never changes.
    var bytes: [UInt8] { get }
}
