// SPDX-License-Identifier: MIT

/// A framer for frames with one kind of header.
///
/// It is a type of its own around a ``SyncFramer``: through `any Framer`, a generic type's methods are called as they are
/// compiled for all headers, which takes seven times as long.
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
