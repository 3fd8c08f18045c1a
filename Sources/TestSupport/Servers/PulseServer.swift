// SPDX-License-Identifier: MIT

package import Glibc
import Instants

/// A real PulseAudio of its own: a null sink, a Unix socket in a temporary folder, no hardware and no session.
///
/// Runs as long as the object does. Any number may run at a time.
package final class PulseServer: SoundServer {
    /// What the server is like.
    package struct Options: Sendable {
        /// Samples a second of the null sinks.
        package var sampleRate = 44_100
        package var resampler = "speex-float-10"
        /// A null sink each; the first is the default.
        package var sinks = ["speaker"]
        /// Further modules with their arguments, such as "module-role-cork".
        package var modules: [String] = []
        /// Whether the server mixes in floating point; else in 16 bits, as hardware does.
        package var isFloat = true

        package init() {}
    }

    package let options: Options
    private let folder: TemporaryFolder
    private let process: Watched<ChildProcess?>

    /// Starts the server and waits until it answers, or leaves it to ``start()``. Blocks for a moment.
    ///
    /// - Throws: ``SetupError`` where it is missing or does not answer within 20 s.
    package init(_ options: Options = Options(), isStarted: Bool = true) throws {
        self.options = options
        folder = try TemporaryFolder("aircheck-pulse")
        process = Watched(nil)
        if isStarted { try start() }
    }

    package var sampleRate: Int { options.sampleRate }
    package var address: String { "unix:\(folder.file("native"))" }

    package var environment: [String: String] {
        [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "XDG_CONFIG_HOME": folder.path,
            "PULSE_RUNTIME_PATH": folder.path, "PULSE_STATE_PATH": folder.path, "PULSE_SERVER": address,
            "DBUS_SESSION_BUS_ADDRESS": "disabled:", "DISPLAY": "",
        ]
    }

    /// Starts it, at first or again, on the same socket, and waits until it answers. Blocks for a moment.
    package func start() throws {
        let started = try ChildProcess(.pulseaudio, arguments, environment: environment, holding: folder)
        process.change { $0 = started }
        let answers = waitUntil(.seconds(20)) {
            !started.isRunning || (try? control(["info"])) != nil
        }
        guard answers, started.isRunning else {
            throw SetupError("PulseAudio does not answer:\n\(started.errorSoFar)")
        }
    }

    /// Ends it as a crash does (SIGKILL), and waits until it is gone. Its socket stays as it is.
    package func crash() throws {
        guard
            let ended = process.change({ current in
                defer { current = nil }; return current
            })
        else { return }
        ended.signal(SIGCONT)
        ended.signal(SIGKILL)
        _ = try ended.wait(within: .seconds(10))
    }

    /// Stops it in the middle of whatever it does (SIGSTOP); it goes on with ``resume()``.
    package func hang() { process.value?.signal(SIGSTOP) }
    package func resume() { process.value?.signal(SIGCONT) }

    package var pid: pid_t? { process.value?.pid }

    /// Removes a sink, as where a device is unplugged.
    package func unplug(_ sink: String) throws {
        for line in try control(["list", "short", "modules"]).split(separator: "\n")
        where line.contains("sink_name=\(sink) ") || line.hasSuffix("sink_name=\(sink)") {
            try control(["unload-module", String(line.prefix { $0 != "\t" })])
        }
    }

    /// Whether a stream is corked, by its program or by the server.
    package func isCorked() throws -> Bool { try control(["list", "sink-inputs"]).contains("Corked: yes") }

    /// Plays silence in the role of a telephone call, until the process that is returned ends.
    package func telephone() throws -> ChildProcess {
        try ChildProcess(
            "/bin/sh", ["-c", "exec \(try Tool.pacat.path()) --property=media.role=phone < /dev/zero"],
            environment: environment, holding: folder)
    }

    private var arguments: [String] {
        let format = options.isFloat ? "float32le" : "s16le"
        let sinks = options.sinks.flatMap { name in
            ["-L", "module-null-sink sink_name=\(name) rate=\(options.sampleRate) format=\(format) channels=2"]
        }
        return [
            "-n", "--daemonize=no", "--exit-idle-time=-1", "--disallow-exit", "--use-pid-file=no", "--realtime=no",
            "--high-priority=no", "--log-target=stderr", "--resample-method=\(options.resampler)",
        ] + sinks + options.modules.flatMap { ["-L", $0] } + [
            "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(folder.file("native"))",
        ]
    }
}
