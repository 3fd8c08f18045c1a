// SPDX-License-Identifier: MIT

/// Bytes with a stable address for the object's lifetime, so that gathered writes can refer to them.
///
/// Shared by listeners: a title's block is made once for all of them.
final class PinnedBytes {
    let bytes: UnsafeRawBufferPointer

    init(_ source: some Collection<UInt8>) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 1)
        memory.copyBytes(from: source)
        bytes = UnsafeRawBufferPointer(memory)
    }

    deinit { bytes.deallocate() }

    var count: Int { bytes.count }
}
