// SPDX-License-Identifier: MIT

/// A decoder in this process, which gives the PCM of a frame at once.
protocol LibraryDecoder: Decoding {
    var room: PCMRoom { get }

    /// Decodes a frame into the room, which is empty.
    func decode(_ frame: UnsafeRawBufferPointer, at instant: Int64) throws(DecodingError)
}

extension LibraryDecoder {
    func put(_ frame: UnsafeRawBufferPointer, at instant: Int64) throws(DecodingError) -> Bool {
        guard room.isEmpty else { return false }
        try decode(frame, at: instant)
        return true
    }

    func next() throws(DecodingError) -> PCMBlock? { room.take() }

    func finish() { room.isLast = true }

    var isFinished: Bool { room.isLast && room.isEmpty }

    var descriptor: CInt? { nil }
}
