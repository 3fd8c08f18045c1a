// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// The instructions of a load generator, which gets them as an argument because it runs in a separate process.
struct LoadPlan: Codable {
    /// The server's port on loopback, and the path of the station.
    var port: Int
    var path: String
    /// The server's process, whose CPU time and memory are measured.
    var server: pid_t
    var listeners: Int
    /// Whether listeners request metadata.
    var wantsMetadata: Bool
    /// The duration of the measurement in seconds. It starts once all listeners have joined and their bursts have been
    /// sent.
    var seconds: Int
    /// The file of the programme on air, at 128 kbit/s. No two of its frames are equal.
    var programme: String

    /// The number of connects per second.
    static let connectRate = 2000
    /// The number of audio bytes per second.
    static let stationRate = 16_000.0
    /// The time between the last join and the start of the measurement.
    static let settling = Duration.seconds(5)
    /// At least this many listeners, or all if there are fewer, keep the received data for comparison with the
    /// programme.
    static let sample = 100
    /// How long the generator waits for listeners after the end of the schedule. Then it continues without the missing
    /// ones.
    static let patience = Duration.seconds(15)

    /// The plan as an argument of `aircheck-bench load`.
    var argument: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }

    init(argument: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(argument.utf8))
    }

    init(
        port: Int, path: String, server: pid_t, listeners: Int, wantsMetadata: Bool, seconds: Int, programme: String
    ) {
        self.port = port
        self.path = path
        self.server = server
        self.listeners = listeners
        self.wantsMetadata = wantsMetadata
        self.seconds = seconds
        self.programme = programme
    }
}
