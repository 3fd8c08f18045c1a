// SPDX-License-Identifier: MIT

import Glibc
package import Instants
import TestTools

/// A replacement for a loudspeaker, which records when the first sound was played. It reads the pipe of a
/// `module-pipe-sink` in real time.
///
/// The format is 16 bits, two channels. The pipe is as small as the kernel allows (4 KiB, 23 ms at 44.1 kHz), because
/// its content adds latency.
package final class PipeSinkReader: Sendable {
    private struct Heard: Sendable {
        var samples = 0
        var firstSound: MonotonicInstant?
        var isStopped = false
    }

    private let heard = Watched(Heard())

    /// The module line that creates the sink, for ``PulseServer/Options/modules``.
    package static func module(path: String, sampleRate: Int = 44_100) -> String {
        "module-pipe-sink sink_name=pipe file=\(path) format=s16le rate=\(sampleRate) channels=2"
    }

    /// Opens the pipe of a running server and starts reading.
    package init(path: String, sampleRate: Int = 44_100) throws {
        let pipe = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard pipe >= 0 else { throw SetupError("no pipe at \(path)") }
        _ = fcntl(pipe, setPipeSize, 4096)
        startThread("test-pipe") { [heard] in
            defer { close(pipe) }
            var buffer = [Int16](repeating: 0, count: 4096)
            let start = MonotonicInstant.now
            while !heard.value.isStopped {
                poll(nil, 0, 2)
                let now = MonotonicInstant.now
                let due = Int((now - start).inSeconds * Double(sampleRate)) - heard.value.samples
                guard due > 0 else { continue }
                let count = buffer.withUnsafeMutableBytes { read(pipe, $0.baseAddress, min($0.count, 4 * due)) }
                // Samples that the server does not deliver in time count as silence.
                let samples = max(0, count) / 4
                let sounds = buffer.prefix(samples * 2).contains { $0 != 0 }
                heard.change {
                    $0.samples += due
                    if sounds, $0.firstSound == nil { $0.firstSound = now }
                }
            }
        }
    }

    deinit { stop() }

    /// Waits for the first sound and returns its instant; nil on timeout. Blocks.
    package func firstSound(within limit: Duration) -> MonotonicInstant? {
        heard.wait(within: limit) { $0.firstSound }
    }

    /// Forgets the first sound, so that the next sound counts as the first.
    package func forget() { heard.change { $0.firstSound = nil } }

    package func stop() { heard.change { $0.isStopped = true } }
}

/// The value of F_SETPIPE_SZ, which is missing in the Glibc module.
private let setPipeSize: CInt = 1031
