// SPDX-License-Identifier: MIT

import Foundation

/// What `network-rig floods` prints.
package struct FloodReport: Decodable, Sendable {
    /// For how long the loop stood still at the longest, in seconds, the 5 ms between two looks in it, but not the time
    /// for which a thread beside it stood still as well; 0 where that is no more than 10 ms.
    package let longestPause: Double
    /// The same of that thread, at any time: the machine, or all of the process, stood still.
    package let machinePause: Double
    /// Of the good station.
    package let gaps: Int
    package let secondsHeard: Double
    package let isExact: Bool
    /// Bytes that no file holds, of the whole process.
    package let memory: Int
    /// Bytes that each flood sent, and how often it was connected to.
    package let sent: [Int]
    package let connections: [Int]

    package var megabytes: Int { sent.reduce(0, +) / 1_000_000 }

    package init(_ output: [UInt8]) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(Self.self, from: Data(output))
    }
}
