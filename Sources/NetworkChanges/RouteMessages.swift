// SPDX-License-Identifier: MIT

/// What the kernel says on a socket of NETLINK_ROUTE, as far as it matters here: whether a way to the world may have
/// come or gone. See netlink(7) and rtnetlink(7).
enum RouteMessages {
    /// Whether a datagram tells of a change that is not loopback's own affair.
    ///
    /// Any bytes are taken: what is cut short or contradicts itself ends the reading. Of a message only its head is
    /// looked at, so a datagram that did not fit into the buffer is as good as a whole one.
    static func tellOfChange(_ datagram: UnsafeRawBufferPointer) -> Bool {
        var rest = datagram[...]
        while rest.count >= headSize {
            let message = UnsafeRawBufferPointer(rebasing: rest)
            let length = Int(message.loadUnaligned(as: UInt32.self))
            let type = message.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
            guard length >= headSize else { return false }
            if isChange(type, body: UnsafeRawBufferPointer(rebasing: message[headSize..<min(length, message.count)])) {
                return true
            }
            // NLMSG_ALIGN; a length is less than 2^32, so nothing overflows.
            let step = (length + 3) & ~3
            guard step < rest.count else { return false }
            rest = rest.dropFirst(step)
        }
        return false
    }

    private static func isChange(_ type: UInt16, body: UnsafeRawBufferPointer) -> Bool {
        switch type {
        case overrun: true
        case newLink, deletedLink, newAddress, deletedAddress: interface(body) != loopback
        case newRoute, deletedRoute: table(body) != localTable
        default: false
        }
    }

    /// `ifi_index` and `ifa_index`, which stand in the same place; nil where the message is too short for it.
    private static func interface(_ body: UnsafeRawBufferPointer) -> UInt32? {
        body.count >= 8 ? body.loadUnaligned(fromByteOffset: 4, as: UInt32.self) : nil
    }

    /// `rtm_table`; nil where the message is too short for it.
    private static func table(_ body: UnsafeRawBufferPointer) -> UInt8? {
        body.count >= 5 ? body[4] : nil
    }

    /// `sizeof(struct nlmsghdr)`.
    private static let headSize = 16
    /// `LOOPBACK_IFINDEX`: the kernel gives loopback the first number in each network namespace.
    private static let loopback: UInt32 = 1
    /// `RT_TABLE_LOCAL`: its routes come and go with addresses, which are told by themselves.
    private static let localTable: UInt8 = 255
    /// `NLMSG_OVERRUN`: something was lost.
    private static let overrun: UInt16 = 4
    private static let (newLink, deletedLink): (UInt16, UInt16) = (16, 17)
    private static let (newAddress, deletedAddress): (UInt16, UInt16) = (20, 21)
    private static let (newRoute, deletedRoute): (UInt16, UInt16) = (24, 25)
}
