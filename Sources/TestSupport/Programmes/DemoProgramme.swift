// SPDX-License-Identifier: MIT

import CDemoProgramme

/// The programme that comes with Aircheck: MP3 files in the memory of the process.
package enum DemoProgramme {
    /// The files, with their tags. They stay where they are.
    package static var pieces: [UnsafeRawBufferPointer] {
        (0..<ac_demo_piece_count()).map { index in
            let piece = ac_demo_piece_at(index)
            return UnsafeRawBufferPointer(start: piece.bytes, count: piece.length)
        }
    }

    /// All bytes behind the tags: nothing but frames.
    package static var frames: [UInt8] {
        pieces.flatMap { piece in
            let bytes = Array(piece)
            return bytes.dropFirst(SimpleFrames.tagLength(bytes[...]) ?? 0)
        }
    }
}
