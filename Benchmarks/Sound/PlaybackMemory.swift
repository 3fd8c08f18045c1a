// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import TestTools

/// Measures the memory that playback adds to a recording, without the libraries that it loads, and the memory of a
/// recording and of a relay without playback.
struct PlaybackMemory {
    private static let settling: UInt32 = 30
    private static let mebibyte = 1_048_576.0

    func figures() throws -> [Figure] {
        note("playback: memory, \(Self.settling) s")
        let stage = try SoundStage(.mp3(128), seconds: 120)
        let folder = try TemporaryFolder("aircheck-playback-memory")
        let server = try PulseServer()
        let port = try Loopback.freePort()
        func start(_ arguments: [String]) throws -> ChildProcess {
            try ChildProcess(aircheckBinary(), arguments, environment: server.environment)
        }
        let silent = try start(["record", stage.url, "--output", folder.file("silent")])
        let heard = try start(["record", stage.url, "--output", folder.file("heard"), "--play"])
        let relay = try start(["relay", stage.url, "--listen", "127.0.0.1:\(port)"])
        return try withExtendedLifetime(stage) {
            sleep(Self.settling)
            for child in [silent, heard, relay] where !child.isRunning {
                throw SetupError("aircheck ended early:\n\(child.errorSoFar)")
            }
            let maps = try [silent, heard, relay].map { try MappedMemory(pid: $0.pid) }
            return figures(silent: maps[0], heard: maps[1], relay: maps[2])
        }
    }

    private func figures(silent: MappedMemory, heard: MappedMemory, relay: MappedMemory) -> [Figure] {
        let opened = heard.libraries.subtracting(silent.libraries)
        let libraries = heard.total(of: opened)
        let added = Double(heard.total - silent.total - libraries) / Self.mebibyte
        func mebibytes(_ memory: Int) -> String { decimal(Double(memory) / Self.mebibyte) + " MiB" }
        let unheard = silent.libraries.union(relay.libraries).filter(Self.isForSound)
        return [
            Figure(
                name: "playback: memory beyond its libraries, MiB", ours: decimal(added) + " MiB",
                peer: "\(opened.count) libraries " + mebibytes(libraries), value: added, goal: .atMost(3)),
            Figure(
                name: "record without sound: dirty private memory", ours: mebibytes(silent.total), peer: "",
                value: Double(silent.total) / Self.mebibyte, goal: .none),
            Figure(
                name: "relay without sound: dirty private memory", ours: mebibytes(relay.total), peer: "",
                value: Double(relay.total) / Self.mebibyte, goal: .none),
            Figure(
                name: "record, relay: sound libraries mapped", ours: "\(unheard.count)",
                peer: unheard.sorted().joined(separator: " "), value: Double(unheard.count), goal: .atMost(0)),
        ]
    }

    private static func isForSound(_ path: String) -> Bool {
        ["pulse", "mpg123", "opus", "vorbis", "FLAC", "systemd", "sndfile"].contains {
            path.contains("/lib\($0)")
        }
    }
}
