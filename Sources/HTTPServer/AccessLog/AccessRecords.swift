// SPDX-License-Identifier: MIT

import Glibc

/// The records of requests that are not yet answered completely, by the descriptor of their socket.
struct AccessRecords {
    private var open: [CInt: (record: AccessRecord, bytesBefore: Int64)] = [:]

    /// Opens the record of a request. `bytesBefore` is the number of bytes that the socket had sent for earlier
    /// requests.
    mutating func begin(_ record: AccessRecord, on descriptor: CInt, bytesBefore: Int64) {
        open[descriptor] = (record, bytesBefore)
    }

    mutating func note(status: Int, on descriptor: CInt) { open[descriptor]?.record.status = status }

    mutating func note(user: String, on descriptor: CInt) { open[descriptor]?.record.user = user }

    /// Returns the record of a request that has been answered, or whose socket is closed; nil if there is none.
    mutating func end(on descriptor: CInt, bytes: Int64) -> AccessRecord? {
        guard let entry = open.removeValue(forKey: descriptor) else { return nil }
        var record = entry.record
        record.bytes = bytes - entry.bytesBefore
        return record
    }
}
