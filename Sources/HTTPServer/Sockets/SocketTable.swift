// SPDX-License-Identifier: MIT

/// The sockets of a server by their descriptors, which are small numbers and given out anew: eight bytes a client.
struct SocketTable {
    private var slots: [HTTPSocket?] = []
    private(set) var count = 0

    mutating func insert(_ socket: HTTPSocket) {
        let index = Int(socket.descriptor)
        while slots.count <= index { slots.append(nil) }
        assert(slots[index] == nil, "two sockets with one descriptor")
        slots[index] = socket
        count += 1
    }

    mutating func remove(_ socket: HTTPSocket) {
        let index = Int(socket.descriptor)
        guard slots.indices.contains(index), slots[index] === socket else { return }
        slots[index] = nil
        count -= 1
    }

    /// The sockets that are open, in no order that means anything.
    var all: [HTTPSocket] { slots.compactMap { $0 } }
}
