// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import RadioFormats

/// Looks for the audio of a station's gaps at addresses that the user names for it: longer lists of segments of the
/// same programme, and other Airchecks that relay it (``RelayedPast``). It fetches what was on air around a gap;
/// whether the frames belong into it, frames decide (``GapFiller``). The trunk keeps it until the programme ends.
final class HLSHealer {
    private struct Wanted {
        var span: Range<WallInstant>
        var since: MonotonicInstant
        /// How often the lists were asked.
        var rounds = 0
    }

    private let run: StationRun
    private let context: HLSContext
    private let store = HLSStore()
    private var wanted: [Wanted] = []
    private var search: Search?
    /// The addresses that have turned out to have nothing to heal from.
    private var useless: Set<String> = []
    private lazy var timer = run.reactor.makeTimer { [weak self] in self?.proceed() }

    /// One look at one address, for one gap.
    private struct Search {
        var source: Int
        var wanted: Wanted
        var load: HLSLoad?
        var place: HLSPlace?
        var left: ArraySlice<ListedSegment> = []
        var fetch: HLSSegmentFetch?
        var past: RelayedPast?
        var spare = HLSSpare()
        /// How many segments in a row could not be fetched.
        var failures = 0
        /// Tells the frames of this list from those of others.
        var number = 0
    }

    /// A list names a segment some time after it was on air.
    private static let delay = Duration.seconds(3)
    private static let mostRounds = 6
    private static let fewFailures = 3
    /// So much is looked at together: what is put into a gap must also fit behind it. What is longer comes in pieces,
    /// because a gap is not remembered for as long as an hour takes.
    private static let mostBytes = 4 << 20
    private static let mostWanted = 32
    /// How far the dates of two sources of a programme may differ. What is fetched beside a gap shows where it belongs.
    private static let margin = Duration.seconds(60)
    private static let longest = Duration.seconds(3_600)

    init(_ run: StationRun) {
        self.run = run
        // An Aircheck says then when its audio was on air. It is not asked to send what was missing before.
        context = HLSContext(run: run, fields: [(FillerField.name, FillerField(isNew: true).value)])
    }

    /// Looks for the audio of a gap, if it is one that can be looked for.
    func note(_ gap: Gap) {
        guard !run.settings.healing.isEmpty, let length = gap.length, length > .zero, length < Self.longest else {
            return
        }
        if wanted.count == Self.mostWanted { wanted.removeFirst() }
        let span = gap.at - Self.margin..<gap.at + length + Self.margin
        wanted.append(Wanted(span: span, since: run.reactor.now))
        if search == nil { timer.arm(at: run.reactor.now + Self.delay) }
    }

    deinit {
        search?.load?.cancel()
        search?.fetch?.cancel()
        search?.past?.cancel()
    }

    private func proceed() {
        guard search == nil, let next = wanted.first else { return }
        search = Search(source: 0, wanted: next)
        ask()
    }

    /// Asks the next address.
    private func ask() {
        guard var search else { return }
        guard search.source < run.settings.healing.count else { return over() }
        let load = HLSLoad(run.settings.healing[search.source], known: nil, context) { [weak self] in self?.loaded($0) }
        search.load = load
        self.search = search
        load.start()
    }

    private func loaded(_ outcome: HLSLoad.Outcome) {
        guard let search else { return }
        let (url, number) = (run.settings.healing[search.source], run.trunk.nextSource())
        switch outcome {
        case .list(let list, let place, _):
            self.search?.place = place
            self.search?.left = Self.segments(of: list, in: search.wanted.span, run.reactor.wallNow)[...]
            self.search?.spare = HLSSpare()
            self.search?.number = number
            fetch()
        case .other(_, let head) where RelayedPast.isSent(with: head):
            self.search?.past = RelayedPast(url, search.wanted.span, context, number: number) { [weak self] in
                self?.nextSource()
            }
        case .other: findUseless(url)
        case .failed(let failure) where failure.failureClass == .notAudio: findUseless(url)
        case .unchanged, .failed: nextSource()
        }
    }

    /// An address has neither a list nor a relay.
    private func findUseless(_ url: String) {
        if useless.insert(url).inserted { run.tell(.hasNothingToHeal(url: AddressText(url).redacted)) }
        nextSource()
    }

    /// The segments that were on air in a span: by their dates, else as if the list ended now.
    private static func segments(
        of list: MediaPlaylist, in span: Range<WallInstant>, _ now: WallInstant
    ) -> [ListedSegment] {
        var left = list.segments.reduce(Duration.zero) { $0 + $1.duration }
        return DatedSegments(list).compactMap { segment, date in
            let begin = date?.instant ?? now - left
            left -= segment.duration
            let isInSpan = begin < span.upperBound && begin + segment.duration > span.lowerBound
            return isInSpan && !segment.isGap ? segment : nil
        }
    }

    private func fetch() {
        guard let search, let place = search.place else { return }
        guard let segment = search.left.first else { return nextSource() }
        run.trunk.noteSearch()
        self.search?.left.removeFirst()
        self.search?.fetch = HLSSegmentFetch(
            segment, from: place, context, store, patience: .patience(forSegmentOf: segment.duration)
        ) { [weak self] in self?.fetched(segment, $0) }
    }

    private func fetched(_ segment: ListedSegment, _ result: Result<HLSSegmentFetch.Content, Failure>) {
        guard search != nil else { return }
        switch result {
        case .success(let content):
            search?.spare.add(content.bytes, section: content.section, segment)
            search?.failures = 0
            if let search, search.left.isEmpty || search.spare.size >= Self.mostBytes { offer() }
        case .failure:
            offer()
            search?.spare.leaveOut()
            search?.failures += 1
        }
        if search?.failures == Self.fewFailures { nextSource() } else { fetch() }
    }

    private func offer() {
        guard let search, var frames = self.search?.spare.take() else { return }
        frames.isFromElsewhere = true
        run.trunk.offer(frames, from: search.number)
    }

    private func nextSource() {
        guard run.trunk.hasOpenGaps else { return over() }
        search?.source += 1
        ask()
    }

    /// The lists were asked once. What they do not have yet they may have later.
    private func over() {
        guard var done = search?.wanted else { return }
        search = nil
        wanted.removeFirst()
        done.rounds += 1
        if run.trunk.hasOpenGaps, done.rounds < Self.mostRounds { wanted.append(done) }
        guard !wanted.isEmpty else { return }
        run.trunk.noteSearch()
        timer.arm(at: run.reactor.now + Self.delay * (1 << min(done.rounds, 4)))
    }
}
