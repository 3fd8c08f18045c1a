// SPDX-License-Identifier: MIT

import Glibc
import Platform

extension FileSystemCalls {
    /// Overwrites a file of JSON, for which a full disk needs little more room or none. A crash meanwhile may leave the
    /// file unreadable.
    func overwrite(in folder: CInt, name: String, _ bytes: [UInt8]) throws(SystemError) {
        let descriptor = try openFile(in: folder, name: name)
        defer { close(descriptor) }
        let size = Int(clamping: try status(of: descriptor).size)
        try append(bytes.dropFirst(size), at: Int64(size), to: descriptor)
        // The trailing blanks keep the file valid JSON until it is truncated.
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: max(0, size - bytes.count))
        try writeAll(descriptor, Array(bytes.prefix(size)) + blanks, at: 0)
        if !blanks.isEmpty { try truncate(descriptor, to: Int64(bytes.count)) }
        try sync(descriptor)
    }

    /// Appends the rest of a longer content. This shows whether there is room for it while the old content is still
    /// intact.
    private func append(_ rest: ArraySlice<UInt8>, at size: Int64, to descriptor: CInt) throws(SystemError) {
        guard !rest.isEmpty else { return }
        do throws(SystemError) {
            try writeAll(descriptor, Array(rest), at: size)
        } catch {
            try? truncate(descriptor, to: size)
            throw error
        }
    }
}

extension SystemError {
    /// Whether a new file could not be written for want of room, so that the file before it may be overwritten.
    var isForRoom: Bool { [ENOSPC, EDQUOT].contains(number) }
}
