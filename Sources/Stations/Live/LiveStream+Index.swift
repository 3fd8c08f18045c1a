// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore
import RadioFormats

// MARK: - MP4 whose index stands behind its audio

extension LiveStream {
    /// Looks for the index by requests for ranges. The connection then begins with the audio.
    func readFromIndex(_ response: UnreadResponse, on connection: StationConnection) -> Reading? {
        guard response.guess == .unsupported(Wrapper.mp4.words(for: .indexBehindAudio)), run.settings.allowsFinite,
            junction.first === connection, !hub.hasAudio, connection.upstream.offset == 0,
            let reached = connection.upstream.reached
        else { return nil }
        connection.upstream.close()
        survey?.cancel()
        survey = FileSurvey(
            run.addresses.settings(run.settings, reaching: reached), client: run.client, reactor: run.reactor
        ) { [weak self] in self?.surveyed($0, for: connection) }
        return .begun
    }

    private func surveyed(_ result: Result<FileSurvey.Found, Failure>, for connection: StationConnection) {
        survey = nil
        guard run.source === self, junction.first === connection else { return }
        var failure = Failure(
            .unsupported,
            "\(connection.upstream.place) is MP4 with its index behind its audio, and its server sends no parts of it",
            remedy: "download it, and use the copy")
        switch result {
        case .success(let found):
            let facts = found.knowledge.facts
            if found.knowledge.isSentFromMiddle, let start = facts.start(at: facts.firstPlace) {
                return connection.upstream.reopen(
                    at: FileBegin(
                        byte: facts.firstPlace.offset, validator: found.knowledge.validator, start: start))
            }
        case .failure(let other): if other.failureClass != .unsupported { failure = other }
        }
        ended(connection, .first, .failed(failure), run.reactor.now)
    }
}
