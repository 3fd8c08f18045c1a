// SPDX-License-Identifier: MIT

/// An ffmpeg that sends a programme to a mount of an Icecast in real time, frame by frame as it is, and ends with the
/// object.
package final class Feeder: Sendable {
    private let process: ChildProcess

    /// Starts to feed and waits until listeners of the mount hear it. Blocks for a moment.
    ///
    /// - Parameters:
    ///   - programme: What to send.
    ///   - server: Where to.
    ///   - mount: The path, with its slash.
    ///   - startSeconds: How far into the programme to begin.
    ///   - headers: What the source says of the station: `ice_name`, `ice_genre` and so on, as ffmpeg names them.
    /// - Throws: ``SetupError`` where the feed does not come about within 15 s.
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

    /// The same without holding the caller's thread.
    package static func start(
        _ programme: ReferenceProgramme, to server: IcecastServer, mount: String, startSeconds: Int = 0
    ) async throws -> Feeder {
        try await onThread { try Feeder(programme, to: server, mount: mount, startSeconds: startSeconds) }
    }

    /// Ends the feed at once, as a crashed encoder does.
    package func stop() throws {
        process.kill()
        _ = try process.wait(within: .seconds(60))
    }
}
