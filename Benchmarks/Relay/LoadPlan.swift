// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// What a load generator is to do. It runs in a process of its own, so this goes to it as an argument.
struct LoadPlan: Codable {
    /// Where the server listens on loopback, and the path of the station there.
    var port: Int
    var path: String
    /// The server's process, whose time and memory are measured.
    var server: pid_t
    var listeners: Int
    /// Whether they ask for metadata.
    var wantsMetadata: Bool
    /// How long to measure, once all have joined and their bursts have been sent.
    var seconds: Int
    /// The file of the programme that is on air, 128 kbit/s, no two frames of which are equal.
    var programme: String

    /// Connects a second.
    static let connectRate = 2000
    /// Bytes of audio a second.
    static let stationRate = 16_000.0
    /// From when all have joined to when the measuring begins.
    static let settling = Duration.seconds(5)
    /// How many listeners keep what they hear, so that it can be held against the programme.
    static let sample = 100
    /// Who connects at the end of the schedule is waited for so long; after that it goes on without who is missing.
    static let patience = Duration.seconds(15)

    /// The argument of `aircheck-bench load`.
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
