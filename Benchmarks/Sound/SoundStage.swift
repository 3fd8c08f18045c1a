// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import TestTools

/// A station on a real Icecast with a burst. It has been on air for longer than the burst, and has sound from its first
/// frame on. Ends when the object is released.
final class SoundStage {
    let url: String
    private let server: IcecastServer
    private let feeder: Feeder
    private let path: String
    private let listener: CInt

    /// In seconds; longer than the audio of a burst of 64 KiB.
    private static let onAir: UInt32 = 6

    init(_ encoding: ReferenceProgramme.Encoding, seconds: Int) throws {
        path = "/station.\(encoding.fileExtension)"
        server = try IcecastServer()
        let programme = try ReferenceProgramme(.init(encoding, seconds: seconds))
        feeder = try Feeder(programme, to: server, mount: path)
        url = server.url(path)
        listener = try Loopback.connect(port: server.port)
        try Loopback.send("GET \(path) HTTP/1.0\r\n\r\n".utf8, to: listener)
        sleep(Self.onAir)
    }

    deinit { Loopback.close(listener) }

    /// Waits until Icecast has sent its next block, and `delay` longer.
    ///
    /// Icecast 2.4 serves its listeners once for each block of 1,400 bytes that it receives from the source: every 88
    /// ms at 128 kbit/s. It sends a new listener nothing in the first round, the head in the second, and audio in the
    /// fourth. So its delay depends on when a listener connects, and programs that are compared must connect at the
    /// same times.
    func waitForBlock(and delay: Duration) throws {
        let deadline = Deadline(after: .seconds(5))
        var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        while poll(&waiting, 1, 0) > 0 { _ = try Loopback.receive(from: listener, by: deadline) }
        _ = try Loopback.receive(from: listener, by: deadline)
        usleep(UInt32(delay / .microseconds(1)))
    }

    /// The time from the connection of a listener to its first audio, in milliseconds.
    func firstAudio() throws -> Double {
        let time = try ContinuousClock().measure {
            guard try server.isHeard(at: path, bytes: 1) else { throw SetupError("Icecast sends nothing") }
        }
        return time / .milliseconds(1)
    }
}
