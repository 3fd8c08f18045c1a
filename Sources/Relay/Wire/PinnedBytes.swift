// SPDX-License-Identifier: MIT

/// Bytes that stay at one address for as long as they are held, so that a gathered write can name them.
///
/// Shared by listeners (a title's block is made once for all of them). Confined to the loop's thread.
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
