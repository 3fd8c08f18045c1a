// SPDX-License-Identifier: MIT

/// How much the server takes from strangers.
package struct HTTPLimits: Hashable, Sendable {
    package var parser = HTTPHeadParser.Limits()
    /// From accept to the end of the head, whatever arrives in between.
    package var head = Duration.seconds(10)
    /// From the head to the end of the body.
    package var body = Duration.seconds(5)
    /// From the request to the handler's answer.
    package var answer = Duration.seconds(20)
    /// From the answer to its last byte; responses that are streamed are their owner's.
    package var response = Duration.seconds(15)
    /// Sockets in all, those taken over included.
    package var connections = 1024
    /// Sockets of one address; nil for any number. Loopback is exempt.
    package var connectionsPerAddress: Int?

    package init() {}
}
