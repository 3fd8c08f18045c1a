// SPDX-License-Identifier: MIT

import Engine
import EventLoop
import MediaSources
import Playback
import RadioCore
import RadioFormats
import Stations

/// Opens an address: a file or a station.
///
/// Connects directly if the item should play from its start. If it should play from another position, or if its name
/// says that it is MP4, surveys the file first. If the survey fails, connects directly, but only if the item may begin at its start.
final class AddressOpener: ItemOpener {
    /// What is already known of the item.
    struct Way {
        /// Settings with the final address of an earlier connection, which saves the redirects; that address may have
        /// expired.
        var reached: StationSettings?
        var knowledge: FileSurvey.Knowledge?
        /// Whether the item may begin at its start if the wanted position cannot be found.
        var mayBeginAtStart = true
    }

    /// The settings with the item's own address. `settings` may instead have the final address of an earlier
    /// connection.
    private let listed: StationSettings
    private var settings: StationSettings
    private let start: Duration
    private let engine: EngineContext
    private let way: Way
    private var done: ((Result<OpenItem, Failure>) -> Void)?
    private var survey: FileSurvey?

    init(
        _ settings: StationSettings, from start: Duration, _ way: Way, _ engine: EngineContext,
        done: @escaping (Result<OpenItem, Failure>) -> Void
    ) {
        listed = settings
        self.settings = way.reached ?? settings
        self.start = start
        self.engine = engine
        self.way = way
        self.done = done
        // The movie box of MP4 may be behind its audio.
        let mayBeMP4 = settings.urls.first.map { StreamRecognizer(contentType: nil, url: $0).expectsMP4 } ?? false
        guard start > .zero || mayBeMP4 else {
            // Deferred: `done` must not be called during this call.
            engine.reactor.defer { [weak self] in self?.openPlainly() }
            return
        }
        look()
    }

    private func look() {
        survey = FileSurvey(
            settings, way.knowledge, of: max(.zero, start - ItemOpening.warmUp), client: engine.client(),
            reactor: engine.reactor
        ) { [weak self] in self?.surveyed($0) }
    }

    func cancel() {
        done = nil
        survey?.cancel()
        survey = nil
    }

    private func surveyed(_ result: Result<FileSurvey.Found, Failure>) {
        survey = nil
        switch result {
        case .success(let found): open(found)
        case .failure where settings != listed:
            settings = listed
            look()
        case .failure(let failure):
            if start > .zero, !way.mayBeginAtStart { finish(.failure(failure)) } else { openPlainly() }
        }
    }

    private func open(_ found: FileSurvey.Found) {
        let facts = found.knowledge.facts
        // The file may have become shorter since the place was noted.
        let isGone = way.mayBeginAtStart && facts.length.map { $0 <= start } ?? false
        let isInside = !isGone && found.place.map { $0.offset > facts.audioStart } ?? false
        let place = isInside ? found.place ?? facts.firstPlace : facts.firstPlace
        let opening = ItemOpening(facts: facts, place: place, start: isGone ? .zero : start)
        var settings = settings
        let begin = facts.start(at: place)
        if isInside || begin != nil {
            settings.fileBegin = FileBegin(
                byte: place.offset, head: begin == nil ? found.knowledge.head : [],
                validator: found.knowledge.validator, start: begin)
        }
        let station = Programme(
            settings: settings, client: engine.client(), reactor: engine.reactor, group: engine.group,
            from: opening.position)
        finish(
            .success(OpenItem(programme: station, passage: Passage(opening), knowledge: found.knowledge)))
    }

    private func openPlainly() {
        let station = Programme(
            settings: settings, client: engine.client(), reactor: engine.reactor, group: engine.group)
        finish(.success(OpenItem(programme: station, passage: Passage())))
    }

    private func finish(_ result: Result<OpenItem, Failure>) { done.take()?(result) }
}
