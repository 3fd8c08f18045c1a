// SPDX-License-Identifier: MIT

import EventLoop
import Platform
import RadioCore
import RadioFormats

/// How far a reader has come with a response.
enum Reading {
    /// More of the response must come.
    case begun
    case done(UpstreamEnd)
}

/// Reads the responses of one kind: returns nil if a response's head and its bytes so far are no evidence of this kind.
/// It is called when the head has come, and then again only if the bytes are not audio.
///
/// A reader that goes on with the response beyond its connection marks it as taken. It may let the stream give way to
/// another source (``LiveStream/giveWay(to:)``).
typealias ResponseReader = (UnreadResponse, StationConnection) -> Reading?

extension LiveStream {
    /// The readers, in the order in which a response is offered to them.
    var readers: [ResponseReader] { [readFile, readAudio, readPlaylist, readSegments, readFromIndex, refuse] }

    /// Leaves the programme to another source, which begins now.
    func giveWay(to other: any Source) {
        junction.closeHedge()
        run.trunk.programme?.replaceSource(by: other)
    }

    /// Keeps what it takes to resume a file, if the head says that it is one. Only frames can confirm that: once they
    /// have joined the programme, the stream gives way to a ``WebFile``.
    private func readFile(_ response: UnreadResponse, on connection: StationConnection) -> Reading? {
        guard response.guess == .undecided, connection.upstream.info?.kind == .finite else { return nil }
        connection.joint.takeAsFile()
        connection.fileBody = FileBody(from: connection.upstream.offset, response.head)
        return .begun
    }

    /// Takes any other response for the stream's audio, which is framed as it comes, until its bytes show that it is
    /// none.
    private func readAudio(_ response: UnreadResponse, on connection: StationConnection) -> Reading? {
        guard response.guess == .undecided else { return nil }
        connection.takeAsLive(response.head, run.reactor.now)
        return .begun
    }

    /// Reads a playlist, whose addresses the station follows.
    private func readPlaylist(_ response: UnreadResponse, on connection: StationConnection) -> Reading? {
        guard case .playlist(let kind) = response.guess, response.body.count <= Playlist.longestBody else { return nil }
        guard response.isComplete else { return .begun }
        do throws(Playlist.Problem) {
            let base = connection.upstream.reached?.url ?? ""
            return .done(
                .playlist(try Playlist(response.body, kind: kind, base: base, convert: SystemCharsets.convert)))
        } catch .isHLS {
            // Its tags stand behind what the kind was guessed by.
            return takeSegments(response, on: connection)
        } catch {
            return .done(.failed(Failure(error, at: connection.upstream.name)))
        }
    }

    /// Reads a list of segments, and leaves the programme to an ``HLSStream``. Beside another connection it is refused:
    /// it gets its turn once that has ended.
    private func readSegments(_ response: UnreadResponse, on connection: StationConnection) -> Reading? {
        guard response.guess == .hls, response.body.count <= HLSLoad.longest else { return nil }
        return takeSegments(response, on: connection)
    }

    private func takeSegments(_ response: UnreadResponse, on connection: StationConnection) -> Reading? {
        guard junction.first === connection, let attempt = run.machine.attempt else {
            return .done(.failed(.waitingHLS(at: connection.upstream.name)))
        }
        guard response.isComplete else { return .begun }
        let stream = HLSStream(run, response.body, response.head, mirror: attempt.mirror)
        connection.upstream.close()
        giveWay(to: stream)
        return .begun
    }

    /// Refuses what no other reader reads. The programme's owner may take the response over, as a list of items.
    private func refuse(_ response: UnreadResponse, on connection: StationConnection) -> Reading? {
        if connection.upstream.info?.metadataInterval == nil {
            response.isTaken = run.trunk.programme?.onUnread?(response) ?? false
        }
        if case .playlist = response.guess {
            return .done(.failed(Failure(Playlist.Problem.tooLong, at: connection.upstream.name)))
        }
        return .done(.failed(Failure(response.guess, at: connection.upstream.place)))
    }
}
