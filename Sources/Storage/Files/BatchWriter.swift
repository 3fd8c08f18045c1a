// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore

/// Writes many units of data with few system calls.
struct BatchWriter {
    /// A call like `writev` to the destination.
    let call: (UnsafeBufferPointer<iovec>) throws(SystemError) -> Int

    /// Writes the items in order. Returns how many bytes were accepted, and the error if that is not all of them.
    func write(_ items: ArraySlice<WriterItem>) -> (bytes: Int, error: SystemError?) {
        var written = 0
        var rest = items
        while !rest.isEmpty {
            var count = 0
            var bytes = 0
            for item in rest where count < Self.maximumItems && bytes < Self.maximumBytes {
                count += 1
                bytes += item.count
            }
            let (done, error) = writeBatch(rest.prefix(count))
            written += done
            if let error { return (written, error) }
            rest = rest.dropFirst(count)
        }
        return (written, nil)
    }

    private func writeBatch(_ items: ArraySlice<WriterItem>) -> (bytes: Int, error: SystemError?) {
        var vectors: [iovec] = []
        vectors.reserveCapacity(items.count)
        for item in items {
            guard case .slab(let slice) = item.payload else { return writeJoined(items) }
            // The memory is valid as long as its slab, which `items` retains.
            slice.withBytes { bytes in
                let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                vectors.append(iovec(iov_base: base, iov_len: bytes.count))
            }
        }
        return writeAll(&vectors)
    }

    /// Copies the items into one buffer and writes the buffer, because an array's bytes have no stable address. Arrays
    /// come from paginators, about a page per second, so the copy is cheap.
    private func writeJoined(_ items: ArraySlice<WriterItem>) -> (bytes: Int, error: SystemError?) {
        var joined: [UInt8] = []
        joined.reserveCapacity(items.reduce(0) { $0 + $1.count })
        for item in items {
            switch item.payload {
            case .slab(let slice): slice.withBytes { joined.append(contentsOf: $0) }
            case .bytes(let bytes): joined.append(contentsOf: bytes)
            }
        }
        return joined.withUnsafeMutableBytes { bytes in
            var vectors = [iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)]
            return writeAll(&vectors)
        }
    }

    private func writeAll(_ vectors: inout [iovec]) -> (bytes: Int, error: SystemError?) {
        var written = 0
        var first = 0
        while true {
            while first < vectors.count, vectors[first].iov_len == 0 { first += 1 }
            guard first < vectors.count else { return (written, nil) }
            let result = vectors[first...].withUnsafeBufferPointer { buffers in
                Result { () throws(SystemError) in try call(buffers) }
            }
            var taken: Int
            switch result {
            case .success(let count) where count > 0: taken = count
            case .success: return (written, SystemError(number: EIO))
            case .failure(let error): return (written, error)
            }
            written += taken
            while first < vectors.count, taken >= vectors[first].iov_len {
                taken -= vectors[first].iov_len
                first += 1
            }
            if taken > 0 {
                vectors[first].iov_base = vectors[first].iov_base.map { $0 + taken }
                vectors[first].iov_len -= taken
            }
        }
    }

    /// IOV_MAX of Linux.
    private static let maximumItems = 1_024
    private static let maximumBytes = 4 * 1_024 * 1_024
}
