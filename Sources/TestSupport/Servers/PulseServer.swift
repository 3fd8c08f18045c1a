// SPDX-License-Identifier: MIT

package import Glibc
import Instants
package import TestTools

/// A private PulseAudio with null sinks and a Unix socket in a temporary folder, without hardware or session.
///
/// Runs as long as the object exists. Several may run at the same time.
package final class PulseServer: SoundServer {
    /// The options of a server.
    package struct Options: Sendable {
        /// The sample rate of the null sinks in Hz.
        package var sampleRate = 44_100
        package var resampler = "speex-float-10"
        /// The names of the null sinks; the first is the default sink.
        package var sinks = ["speaker"]
        /// Additional modules with their arguments, such as "module-role-cork".
        package var modules: [String] = []
        /// Whether the sinks have floating-point samples. Otherwise they have 16-bit samples, like hardware.
        package var isFloat = true

        package init() {}
    }

    package let options: Options
    private let folder: TemporaryFolder
    private let process: Watched<ChildProcess?>

    /// Starts the server and waits until it answers, which blocks for a moment. If `isStarted` is false, the server is
    /// not started until ``start()`` is called.
    ///
    /// - Throws: ``SetupError`` if PulseAudio is missing or does not answer within 20 s.
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

    /// Starts or restarts the server on the same socket and waits until it answers. Blocks for a moment.
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

    /// Kills the server with SIGKILL, like a crash, and waits until it has ended. Its socket remains.
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

    /// Suspends the server with SIGSTOP until ``resume()``.
    package func hang() { process.value?.signal(SIGSTOP) }
    package func resume() { process.value?.signal(SIGCONT) }

    package var pid: pid_t? { process.value?.pid }

    /// Removes a sink, as if a device were unplugged.
    package func unplug(_ sink: String) throws {
        for line in try control(["list", "short", "modules"]).split(separator: "\n")
        where line.contains("sink_name=\(sink) ") || line.hasSuffix("sink_name=\(sink)") {
            try control(["unload-module", String(line.prefix { $0 != "\t" })])
        }
    }

    /// Whether any stream is corked, either by its program or by the server.
    package func isCorked() throws -> Bool { try control(["list", "sink-inputs"]).contains("Corked: yes") }

    /// Plays silence with the role of a phone call until the returned process ends.
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
