// SPDX-License-Identifier: MIT

/// Finds the frames of MPEG audio: MPEG 1, 2 and 2.5, layers I to III, constant, variable and free bit rate.
///
/// A frame with a wrong checksum is returned like any other, but reported. Holds at most about 12 KiB beyond the bytes
/// of one ``append(_:)``, since a free-format frame has at most 4 KiB, plus 64 KiB of a tag.
package struct MPEGAudioFramer: Framer {
    private var core = SyncFramer<MPEGFrameShape>()

    package init() {}

    package mutating func append(_ bytes: UnsafeRawBufferPointer) { core.append(bytes) }
    package mutating func next() -> FramerEvent? { core.next() }
    package mutating func nextPlainFrame() -> Frame? { core.nextPlainFrame() }
    package mutating func compact() { core.compact() }
    package mutating func finish() { core.finish() }
    package var holdsFrame: Bool { core.holdsFrame }
    package var infoFrame: MPEGInfoFrame? { core.infoFrame }
    package mutating func releaseHeld() { core.releaseHeld() }
    package func withBytes<Result>(of frame: Frame, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        core.withBytes(of: frame, body)
    }
}
