// SPDX-License-Identifier: MIT

import EventLoop
import MediaSources
import Playback
import RadioCore
import RadioFormats
import Stations

/// Opens what has an address: a file, or a station. Confined to the loop's thread.
///
/// What is to be heard at once from its start is simply connected to. Where the place of an instant is wanted, or there
/// is time, a file is surveyed first, so that it begins and ends to the sample; what turns out to be no file is a
/// station.
final class AddressOpener: ItemOpener {
    /// How much is known, and how much of a hurry there is.
    struct Way {
        /// Where an earlier connection has ended, if there was one: the file is there without a detour, unless such an
        /// address is good for a short time only.
        var reached: StationSettings?
        var knowledge: FileSurvey.Knowledge?
        /// Whether there is time to look at a file before it is opened.
        var hasTime = false
        /// Whether it may begin at its start where the place cannot be found.
        var mayBeginAtStart = true
    }

    /// Of the item, and of where it is looked for now.
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
        guard start > .zero || way.hasTime else {
            // Nobody is told from inside the call.
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
        let atStart = SeekPlace(offset: 0, sample: -facts.trim.start, isExact: true)
        let isInside = found.place.map { $0.offset > facts.audioStart } ?? false
        let place = isInside ? found.place ?? atStart : atStart
        let opening = ItemOpening(facts: facts, place: place, start: start)
        var settings = settings
        if isInside {
            settings.fileBegin = FileBegin(
                byte: place.offset, head: found.knowledge.head, validator: found.knowledge.validator)
        }
        let station = Station(
            settings: settings, client: engine.client(), reactor: engine.reactor, group: engine.group,
            from: opening.position)
        finish(
            .success(OpenItem(programme: station, passage: Passage(opening), knowledge: found.knowledge)))
    }

    private func openPlainly() {
        let station = Station(
            settings: settings, client: engine.client(), reactor: engine.reactor, group: engine.group)
        finish(.success(OpenItem(programme: station, passage: Passage())))
    }

    private func finish(_ result: Result<OpenItem, Failure>) { done.take()?(result) }
}
