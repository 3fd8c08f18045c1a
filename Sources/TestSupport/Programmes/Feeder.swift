// SPDX-License-Identifier: MIT

import TestTools

/// An ffmpeg that sends a programme to an Icecast mount in real time, without re-encoding. Ends when the object is
/// released.
package final class Feeder: Sendable {
    private let process: ChildProcess

    /// Starts the feed and waits until the mount delivers audio to listeners. Blocks for a moment.
    ///
    /// - Parameters:
    ///   - programme: The programme to send.
    ///   - server: The server to send it to.
    ///   - mount: The path of the mount, with its slash.
    ///   - startSeconds: The position in the programme at which to start.
    ///   - headers: The source's description of the station, with ffmpeg's option names: `ice_name`, `ice_genre` and so
    ///     on.
    /// - Throws: ``SetupError`` if the mount delivers no audio within 60 s, or ffmpeg ends.
    package init(
        _ programme: ReferenceProgramme, to server: IcecastServer, mount: String, startSeconds: Int = 0,
        headers: [String: String] = ["ice_name": "Reference"]
    ) throws {
        let encoding = programme.parameters.encoding
        let start = startSeconds > 0 ? ["-ss", "\(startSeconds)"] : []
        let target = "icecast://source:\(IcecastServer.password)@127.0.0.1:\(server.port)\(mount)"
        process = try ChildProcess(
            .ffmpeg,
            ["-hide_banner", "-loglevel", "error", "-nostdin", "-re"] + start + ["-i", programme.path, "-c", "copy"]
                + ["-fflags", "+bitexact", "-flush_packets", "1", "-content_type", encoding.contentType]
                + headers.flatMap { ["-\($0)", $1] } + encoding.muxer + [target])
        let child = process
        let isHeard = try waitUntil(.seconds(60)) {
            try !child.isRunning || server.isHeard(at: mount)
        }
        guard isHeard, process.isRunning else {
            throw SetupError("ffmpeg does not feed \(mount):\n\(process.errorSoFar)")
        }
    }

    /// Starts the feed as the initializer does, without blocking the caller's thread.
    package static func start(
        _ programme: ReferenceProgramme, to server: IcecastServer, mount: String, startSeconds: Int = 0
    ) async throws -> Feeder {
        try await onThread { try Feeder(programme, to: server, mount: mount, startSeconds: startSeconds) }
    }

    /// Ends the feed at once, like an encoder that crashes.
    package func stop() throws {
        process.kill()
        _ = try process.wait(within: .seconds(60))
    }
}
