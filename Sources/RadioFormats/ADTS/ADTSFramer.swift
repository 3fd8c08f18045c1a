// SPDX-License-Identifier: MIT

/// Finds the frames of AAC in ADTS: MPEG-2 and MPEG-4, with and without checksum, one to four blocks per frame.
///
/// Holds at most about 32 KiB beyond the bytes of one ``append(_:)``, plus 64 KiB of a tag.
package struct ADTSFramer: Framer {
    private var core = SyncFramer<ADTSHeader>()

    package init() {}

    package mutating func append(_ bytes: UnsafeRawBufferPointer) { core.append(bytes) }
    package mutating func next() -> FramerEvent? { core.next() }
    package mutating func nextPlainFrame() -> Frame? { core.nextPlainFrame() }
    package mutating func compact() { core.compact() }
    package mutating func finish() { core.finish() }
    package var holdsFrame: Bool { core.holdsFrame }
    package mutating func releaseHeld() { core.releaseHeld() }
    package func withBytes<Result>(of frame: Frame, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        core.withBytes(of: frame, body)
    }
}
