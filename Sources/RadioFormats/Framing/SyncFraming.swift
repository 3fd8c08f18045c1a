// SPDX-License-Identifier: MIT

/// A framer for frames with one kind of header.
///
/// A conforming type is not generic, but holds a ``SyncFramer``: through `any Framer`, the methods of a generic type
/// are not specialized for its header, and take seven times as long.
protocol SyncFraming: Framer {
    associatedtype Header: SyncHeader
    var core: SyncFramer<Header> { get set }
}

extension SyncFraming {
    package mutating func append(_ bytes: UnsafeRawBufferPointer) { core.append(bytes) }
    package mutating func next() -> FramerEvent? { core.next() }
    package mutating func nextPlainFrame() -> Frame? { core.nextPlainFrame() }
    package mutating func compact() { core.compact() }
    package mutating func finish() { core.finish() }
    package var holdsFrame: Bool { core.holdsFrame }
    package mutating func releaseHeld() { core.releaseHeld() }
    package var infoFrame: MPEGInfoFrame? { core.infoFrame }
    package func withBytes<Result>(of frame: Frame, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        core.withBytes(of: frame, body)
    }
}
