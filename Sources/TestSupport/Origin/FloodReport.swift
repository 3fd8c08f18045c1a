// SPDX-License-Identifier: MIT

import Foundation

/// What `network-rig floods` prints.
package struct FloodReport: Decodable, Sendable {
    /// For how long the loop stood still at the longest, in seconds; the 5 ms between two looks are in it.
    package let longestPause: Double
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
