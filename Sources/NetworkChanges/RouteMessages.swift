// SPDX-License-Identifier: MIT

/// Reads messages of a NETLINK_ROUTE socket, to find out whether a route to the internet may have come or gone. See
/// netlink(7) and rtnetlink(7).
enum RouteMessages {
    /// Whether a datagram reports a change other than one of loopback.
    ///
    /// Accepts any bytes: stops at a message that is cut short or inconsistent. Reads only the head of a message, so a
    /// datagram may be truncated to the size of the buffer.
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

    /// `ifi_index` or `ifa_index`, which have the same offset; nil if the message is too short.
    private static func interface(_ body: UnsafeRawBufferPointer) -> UInt32? {
        body.count >= 8 ? body.loadUnaligned(fromByteOffset: 4, as: UInt32.self) : nil
    }

    /// `rtm_table`; nil if the message is too short.
    private static func table(_ body: UnsafeRawBufferPointer) -> UInt8? {
        body.count >= 5 ? body[4] : nil
    }

    /// `sizeof(struct nlmsghdr)`.
    private static let headSize = 16
    /// `LOOPBACK_IFINDEX`: loopback is the first interface in each network namespace.
    private static let loopback: UInt32 = 1
    /// `RT_TABLE_LOCAL`: its routes come and go with addresses, which are reported themselves.
    private static let localTable: UInt8 = 255
    /// `NLMSG_OVERRUN`: messages were lost.
    private static let overrun: UInt16 = 4
    private static let (newLink, deletedLink): (UInt16, UInt16) = (16, 17)
    private static let (newAddress, deletedAddress): (UInt16, UInt16) = (20, 21)
    private static let (newRoute, deletedRoute): (UInt16, UInt16) = (24, 25)
}
