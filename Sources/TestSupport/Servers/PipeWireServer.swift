// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestTools

/// A private PipeWire with its PulseAudio server, its session manager and a null sink.
///
/// Runs as long as the object exists.
package final class PipeWireServer: SoundServer {
    package let sampleRate = 48_000
    private let folder: TemporaryFolder
    private let processes: [ChildProcess]

    /// Starts the three programs and waits until the sink exists. Blocks for about a second.
    ///
    /// - Throws: ``SetupError`` if a program is missing, PipeWire does not start within 10 s, or the sink does not
    ///   exist 20 s later.
    package init() throws {
        let folder = try TemporaryFolder("aircheck-pipewire")
        let environment = Self.environment(in: folder)
        try Self.configure(folder)
        let pipewire = try ChildProcess(.pipewire, [], environment: environment, holding: folder)
        guard waitUntil(.seconds(10), { access(Self.socket(in: folder), F_OK) == 0 }) else {
            throw SetupError("PipeWire does not start:\n\(pipewire.errorSoFar)")
        }
        let manager = try ChildProcess(
            .dbusRunSession, ["--", try Tool.wireplumber.path()], environment: environment, holding: folder)
        let pulse = try ChildProcess(.pipewirePulse, [], environment: environment, holding: folder)
        self.folder = folder
        processes = [pulse, manager, pipewire]
        guard waitUntil(.seconds(20), { (try? control(["list", "short", "sinks"]))?.contains("speaker") == true })
        else {
            throw SetupError("PipeWire has no sink:\n\(processes.map(\.errorSoFar).joined())")
        }
    }

    package var address: String { "unix:\(folder.file("pulse/native"))" }
    package var environment: [String: String] { Self.environment(in: folder) }

    private static func socket(in folder: TemporaryFolder) -> String { folder.file("pipewire-0") }

    private static func environment(in folder: TemporaryFolder) -> [String: String] {
        [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "XDG_CONFIG_HOME": folder.file("config"),
            "XDG_STATE_HOME": folder.path, "PIPEWIRE_RUNTIME_DIR": folder.path,
            "PULSE_RUNTIME_PATH": folder.file("pulse"),
            "PULSE_SERVER": "unix:\(folder.file("pulse/native"))", "DISPLAY": "",
        ]
    }

    /// Configures the sink, the best resampler, and a long graph quantum. Without the priority that it has on a
    /// desktop, the server would miss short quanta while other tests keep the processors busy.
    private static func configure(_ folder: TemporaryFolder) throws {
        for path in [
            "config", "config/pipewire", "config/pipewire/pipewire.conf.d", "config/pipewire/pipewire-pulse.conf.d",
        ] {
            guard mkdir(folder.file(path), 0o755) == 0 else { throw SetupError("no folder \(path)") }
        }
        try folder.write(
            "config/pipewire/pipewire.conf.d/speaker.conf",
            """
            context.properties = { default.clock.quantum = 16384  default.clock.min-quantum = 16384  default.clock.max-quantum = 16384 }
            context.objects = [
              { factory = adapter
                args = {
                  factory.name = support.null-audio-sink  node.name = speaker  media.class = Audio/Sink
                  object.linger = true  audio.position = [ FL FR ]  node.driver = true  priority.driver = 2000
                } }
            ]

            """)
        try folder.write(
            "config/pipewire/pipewire-pulse.conf.d/resampler.conf", "stream.properties = { resample.quality = 14 }\n")
    }
}
