// SPDX-License-Identifier: MIT

package import Engine
import EventLoop
import MediaSources
import Platform
import Playback
package import RadioCore
import RadioFormats
package import Stations

/// Lists the items of a queue, without playing them. It is a use of the silent programme ``ProgrammeSpec/queue``.
package struct ItemListSpec: Sendable {
    /// See ``QueueSpec/sources``.
    package var sources: [String]
    /// Settings for fetching a list from the web; the addresses in them are ignored.
    package var station: StationSettings
    /// The folder of remembered positions; nil for none.
    package var stateFolder: String?

    package init(sources: [String], station: StationSettings) {
        self.sources = sources
        self.station = station
    }
}

extension ItemListSpec: UseSpec {
    package func makeUse(_ context: UseContext) -> any Use { ItemListUse(self, context) }
    package func outcome(_ failure: Failure) -> any UseOutcome { ItemListOutcome(failure: failure) }
}

/// The items of a queue, and what is remembered of them.
package struct ItemListOutcome: UseOutcome {
    package struct Item: Hashable, Sendable {
        package var item: QueueItem
        package var isHeard: Bool
        /// The position at which it continues; nil for its start.
        package var position: Duration?
        /// Whether the queue begins with this item.
        package var isNext: Bool
    }

    package var title: String?
    package var items: [Item] = []
    package var failure: Failure?
}

final class ItemListUse {
    private let spec: ItemListSpec
    private let context: UseContext
    private var keeper: PositionsKeeper?
    private var fetch: ListFetch?
    private var scanStop: StopFlag?
    private var hasEnded = false

    init(_ spec: ItemListSpec, _ context: UseContext) {
        self.spec = spec
        self.context = context
    }
}

extension ItemListUse: Use {
    func begin() {
        keeper = PositionsKeeper(
            folder: spec.stateFolder, reactor: context.reactor, heard: { nil },
            onRead: { [weak self] in self?.start() })
    }

    func end() { finish(ItemListOutcome()) }

    var snapshot: (any UseSnapshot)? { nil }

    private func start() {
        if spec.sources.count == 1, AddressText(spec.sources[0]).isAddress {
            var settings = spec.station
            settings.setURLs(spec.sources)
            fetch = ListFetch(
                settings.urls[0], settings, client: context.engine.client(), reactor: context.reactor
            ) { [weak self] in self?.fetched($0) }
            return
        }
        do throws(Failure) {
            let bound = context.reactor.bind(self)
            scanStop = try ItemScan.start(spec.sources, for: bound) { use, found in use.scanned(found) }
        } catch {
            finish(ItemListOutcome(failure: error))
        }
    }

    private func fetched(_ result: Result<ListFetch.Found, Failure>) {
        switch result {
        case .success(let found):
            for notice in found.notices { context.tell(.queue(notice)) }
            list(found.items, of: ItemKey(list: spec.sources), title: found.title)
        case .failure(let failure): finish(ItemListOutcome(failure: failure))
        }
    }

    private func scanned(_ found: ItemScan.Found) {
        for (item, reason) in found.skipped { context.tell(.queue(.skipped(item: item, reason: reason))) }
        list(found.items, of: found.list, title: nil)
    }

    private func list(_ items: [QueueItem], of list: ItemKey?, title: String?) {
        let positions = keeper?.positions ?? PlayPositions()
        let next = list.map { positions.firstIndex(of: items, in: $0) } ?? 0
        var outcome = ItemListOutcome(title: title)
        outcome.items = items.enumerated().map { index, item in
            ItemListOutcome.Item(
                item: item, isHeard: positions.isHeard(item), position: positions.position(of: item),
                isNext: index == next)
        }
        finish(outcome)
    }

    private func finish(_ outcome: ItemListOutcome) {
        guard !hasEnded else { return }
        hasEnded = true
        scanStop?.raise()
        fetch?.cancel()
        // Deferred: the fetch or the scan may be calling.
        context.reactor.defer { [self] in
            guard let keeper = keeper.take() else { return context.onEnd(outcome) }
            keeper.close { [self] in context.onEnd(outcome) }
        }
    }
}
