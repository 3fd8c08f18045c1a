// SPDX-License-Identifier: MIT

import Platform
import RadioCore
import RadioFormats

/// Reads the responses of one kind that are not audio.
protocol ResponseReader {
    /// Reads a response of this kind; nil if its head and its bytes so far are no evidence of this kind.
    ///
    /// A reader that goes on with the response beyond its connection marks it as taken. It may let the stream give way
    /// to another source (``LiveStream/giveWay(to:)``).
    static func read(_ response: UnreadResponse, on upstream: Upstream, for stream: LiveStream) -> Reading?
}

/// How far a reader has come with a response.
enum Reading {
    /// More of the response must come.
    case begun
    case done(UpstreamEnd)
}

extension LiveStream {
    /// The readers, in the order in which a response is offered to them.
    ///
    /// Audio needs none: it is framed as it comes. It is a file's if the head says so and its frames have joined the
    /// programme; the stream then gives way to a ``WebFile``.
    static var readers: [any ResponseReader.Type] { [PlaylistReader.self, RefusingReader.self] }

    /// Leaves the programme to another source, which has already begun.
    func giveWay(to other: any StationSource) {
        junction.closeOthers()
        run.trunk.programme?.replaceSource(by: other)
    }
}

/// Reads a playlist, whose addresses the station follows.
private enum PlaylistReader: ResponseReader {
    static func read(_ response: UnreadResponse, on upstream: Upstream, for stream: LiveStream) -> Reading? {
        guard case .playlist(let kind) = response.guess, response.body.count <= Playlist.longestBody else { return nil }
        guard response.isComplete else { return .begun }
        do throws(Playlist.Problem) {
            let base = upstream.reached?.url ?? ""
            return .done(
                .playlist(try Playlist(response.body, kind: kind, base: base, convert: SystemCharsets.convert)))
        } catch {
            return .done(.failed(Failure(error, at: upstream.name)))
        }
    }
}

/// Refuses what no other reader reads. The programme's owner may take the response over, as a list of items.
private enum RefusingReader: ResponseReader {
    static func read(_ response: UnreadResponse, on upstream: Upstream, for stream: LiveStream) -> Reading? {
        if upstream.info?.metadataInterval == nil {
            response.isTaken = stream.run.trunk.programme?.onUnread?(response) ?? false
        }
        if case .playlist = response.guess {
            return .done(.failed(Failure(Playlist.Problem.tooLong, at: upstream.name)))
        }
        return .done(.failed(Failure(response.guess, at: upstream.place)))
    }
}
