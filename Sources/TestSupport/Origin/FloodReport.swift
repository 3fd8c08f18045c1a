// SPDX-License-Identifier: MIT

import Foundation

/// The report that `network-rig floods` prints.
package struct FloodReport: Decodable, Sendable {
    /// The longest pause of the loop, in seconds, including the interval of 5 ms between two checks; 0 if no pause was
    /// longer than 10 ms. Time for which the witness thread was blocked as well is not included.
    package let longestPause: Double
    /// The longest pause of the witness thread, in seconds. In such a pause, the machine or the whole process was
    /// blocked.
    package let machinePause: Double
    /// The gaps of the station that behaves well.
    package let gaps: Int
    package let secondsHeard: Double
    package let isExact: Bool
    /// The anonymous memory of the whole process, in bytes.
    package let memory: Int
    /// The number of bytes that each flood sent, and the number of connections to it.
    package let sent: [Int]
    package let connections: [Int]

    package var megabytes: Int { sent.reduce(0, +) / 1_000_000 }

    package init(_ output: [UInt8]) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(Self.self, from: Data(output))
    }
}
