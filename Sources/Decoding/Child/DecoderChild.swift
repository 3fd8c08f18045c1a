// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// An ffmpeg process that decodes ADTS frames to a WAV stream of floats. It ends with the object, and with this
/// process.
final class DecoderChild {
    /// How the process has ended.
    private enum End: Sendable {
        case well
        /// The process has failed. The text is the last line of its error output, or its exit status.
        case badly(String)
        case notStarted(StartError)
    }

    /// The ends of the descriptors that ffmpeg uses. This process closes its copies once ffmpeg has ended, so that
    /// reading ``output`` then reaches its end.
    private struct FarEnds: Sendable {
        let input: Descriptor
        let output: Descriptor
    }

    /// The descriptor that delivers the WAV stream; non-blocking.
    let output: Descriptor
    private let input: Descriptor
    private let process: Subprocess
    private let end: Monitor<End?>

    init(_ path: String) throws(SystemError) {
        let (near, far) = try Self.socketPair()
        let (reading, writing) = try Descriptor.pipe()
        _ = fcntl(reading.number, F_SETFL, O_NONBLOCK)
        // If this is refused, the process only waits more often.
        _ = fcntl(reading.number, Self.setRoom, Self.room)
        let end = Monitor<End?>(nil)
        let ends = FarEnds(input: far, output: writing)
        process = try Subprocess(Self.command(path, ends)) { result in
            withExtendedLifetime(ends) {
                let said = Self.said(result)
                end.withLock { $0 = said }
            }
        }
        (input, output, self.end) = (near, reading, end)
    }

    /// Sends as many bytes as there is room for. Returns the number of bytes sent.
    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        while true {
            // If the process has died, sending raises no signal. The death is detected when the process's output ends.
            let count = Glibc.send(
                input.number, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
            if count >= 0 || errno != EINTR { return max(0, count) }
        }
    }

    /// Reads available bytes. Returns the number of bytes read, 0 at the end of the output, or nil if no bytes are
    /// available for now.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        while true {
            let count = Glibc.read(output.number, room.baseAddress, room.count)
            if count >= 0 { return count }
            if errno != EINTR { return errno == EAGAIN ? nil : 0 }
        }
    }

    /// Ends the input of the process.
    func endInput() { shutdown(input.number, CInt(SHUT_WR)) }

    func kill() { process.kill() }

    /// Whether the process has exited by itself and reported success.
    var hasEndedWell: Bool { if case .well = end.withLock({ $0 }) { true } else { false } }

    /// The last line of the process's error output, or its exit status; empty if the process has not failed.
    var lastWords: String { if case .badly(let words) = end.withLock({ $0 }) { words } else { "" } }

    /// Why the process could not be started; nil if it was started.
    var startError: SystemError? { if case .notStarted(let why) = end.withLock({ $0 }) { why.error } else { nil } }

    /// Makes ffmpeg read its input and nothing else, whatever a stream says, and take each frame as it arrives.
    private static func command(_ path: String, _ ends: FarEnds) -> Command {
        let input = [
            "-nostdin", "-hide_banner", "-protocol_whitelist", "pipe", "-loglevel", "error", "-threads", "1",
            "-probesize", "16384", "-analyzeduration", "1", "-fflags", "noparse", "-f", "aac", "-i", "pipe:0",
        ]
        // Frames that cannot be decoded become silence of their length, so that samples can be counted.
        let filter = ["-map", "0:a:0", "-af", "aresample=async=1:min_hard_comp=0.01:first_pts=0"]
        let output = ["-c:a", "pcm_f32le", "-f", "wav", "-fflags", "+bitexact", "-flush_packets", "1", "pipe:1"]
        var command = Command(path, input + filter + output)
        command.input = ends.input.number
        command.output = .descriptor(ends.output.number)
        command.errors = .captured(limit: 1_024)
        command.limits = Command.Limits(memory: memory, processorSeconds: processorSeconds, descriptors: 16)
        return command
    }

    /// The room for output in bytes: half a second of stereo at 48 kHz, so that a process decodes what it gets at once
    /// without waiting for its reader.
    private static let room: CInt = 256 << 10
    /// F_SETPIPE_SZ, which the Glibc module lacks.
    private static let setRoom: CInt = 1_031
    /// The limit on the process's address space, in bytes. The libraries alone take 280 MB of it.
    private static let memory = 512 << 20
    /// The limit on the process's processor time, in seconds. A stream takes two thousandths of a core, so the limit is
    /// reached after about three weeks. Then another process takes over, and no audio is lost.
    private static let processorSeconds = 3_600

    private static func said(_ result: Result<SubprocessEnd, StartError>) -> End {
        switch result {
        case .failure(let error): return .notStarted(error)
        case .success(let end):
            if end.ending == .exited(0) { return .well }
            let words = String(decoding: end.errors.bytes, as: UTF8.self).split(separator: "\n").last.map(String.init)
            return .badly(words ?? "\(end.ending)")
        }
    }

    /// A socket pair is used instead of a pipe, because writing to a pipe without a reader raises a signal.
    private static func socketPair() throws(SystemError) -> (near: Descriptor, far: Descriptor) {
        var ends: (CInt, CInt) = (-1, -1)
        _ = try systemCall {
            withUnsafeMutablePointer(to: &ends) {
                $0.withMemoryRebound(to: CInt.self, capacity: 2) {
                    socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, $0)
                }
            }
        }
        return (Descriptor(owning: ends.0), Descriptor(owning: ends.1))
    }
}
