// SPDX-License-Identifier: MIT

import Glibc
import RadioCore

/// Many units of data in few system calls.
enum BatchWriter {
    /// Writes the items one after the other and returns how many bytes of them are in the file, and why not all.
    static func write(
        _ items: ArraySlice<WriterItem>, to descriptor: CInt, _ system: any FileSystemCalls
    )
        -> (bytes: Int, error: SystemError?)
    {
        var written = 0
        var rest = items
        while !rest.isEmpty {
            var count = 0
            var bytes = 0
            for item in rest where count < maximumItems && bytes < maximumBytes {
                count += 1
                bytes += item.count
            }
            let (done, error) = writeBatch(rest.prefix(count), descriptor, system)
            written += done
            if let error { return (written, error) }
            rest = rest.dropFirst(count)
        }
        return (written, nil)
    }

    private static func writeBatch(
        _ items: ArraySlice<WriterItem>, _ descriptor: CInt, _ system: any FileSystemCalls
    )
        -> (bytes: Int, error: SystemError?)
    {
        var vectors: [iovec] = []
        vectors.reserveCapacity(items.count)
        for item in items {
            guard case .slab(let slice) = item.payload else { return writeJoined(items, descriptor, system) }
            // The memory lives as long as its slab, which `items` holds.
            slice.withBytes { bytes in
                vectors.append(
                    iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count))
            }
        }
        return writeAll(&vectors, descriptor, system)
    }

    /// Arrays do not say where their bytes stay, and come from paginators, a page a second: they are joined by copying.
    private static func writeJoined(
        _ items: ArraySlice<WriterItem>, _ descriptor: CInt, _ system: any FileSystemCalls
    )
        -> (bytes: Int, error: SystemError?)
    {
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
            return writeAll(&vectors, descriptor, system)
        }
    }

    private static func writeAll(
        _ vectors: inout [iovec], _ descriptor: CInt, _ system: any FileSystemCalls
    )
        -> (bytes: Int, error: SystemError?)
    {
        var written = 0
        var first = 0
        while true {
            while first < vectors.count, vectors[first].iov_len == 0 { first += 1 }
            guard first < vectors.count else { return (written, nil) }
            var taken: Int
            do throws(SystemError) {
                taken = try vectors[first...].withUnsafeBufferPointerTyped { buffers throws(SystemError) in
                    try system.write(descriptor, buffers)
                }
            } catch {
                return (written, error)
            }
            guard taken > 0 else { return (written, SystemError(number: EIO)) }
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

extension ArraySlice where Element == iovec {
    /// `withUnsafeBufferPointer` that keeps the type of the error.
    fileprivate func withUnsafeBufferPointerTyped(
        _ body: (UnsafeBufferPointer<iovec>) throws(SystemError) -> Int
    ) throws(SystemError) -> Int {
        try withUnsafeBufferPointer { buffer in
            Result { () throws(SystemError) in try body(buffer) }
        }.get()
    }
}
