// SPDX-License-Identifier: MIT

import CDemoProgramme

/// The demo programme that is shipped with Aircheck: MP3 files in the memory of the process.
package enum DemoProgramme {
    /// The files, with their tags. The memory is valid for the lifetime of the process.
    package static var pieces: [UnsafeRawBufferPointer] {
        (0..<ac_demo_piece_count()).map { index in
            let piece = ac_demo_piece_at(index)
            return UnsafeRawBufferPointer(start: piece.bytes, count: piece.length)
        }
    }

    /// The frames of all files, without tags.
    package static var frames: [UInt8] {
        pieces.flatMap { piece in
            let bytes = Array(piece)
            return bytes.dropFirst(SimpleFrames.tagLength(bytes[...]) ?? 0)
        }
    }
}
