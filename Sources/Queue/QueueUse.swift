// SPDX-License-Identifier: MIT

import Engine
import EventLoop
import Platform
import Playback
import RadioCore
import RadioFormats
import Stations

/// Plays a queue of items on this machine, one after the other.
///
/// ``PlayQueue`` decides which item comes next, ``Player`` plays it, and this class opens each item: it opens the next
/// item as soon as the current one has been received, so that there need be no gap. Receiving runs ahead of playback,
/// so each entry keeps the state of the queue at its item. When the user skips, the skip is relative to the item being
/// heard.
final class QueueUse {
    let spec: QueueSpec
    let context: UseContext
    let player: Player
    var chain = QueueChain()
    /// The queue's state before any entry. Each entry has a copy of its own.
    var queue: PlayQueue
    private var played = PlayedItems()
    /// The failures since an item last began to be heard.
    private var failures = SkippedItems()
    private var keeper: PositionsKeeper?
    var addresses: QueueAddresses
    private(set) var stage = Stage.playing
    /// Determines what the addresses of the command line are; nil if the sources are not all addresses.
    var guess: SourceGuess?
    /// The flag that stops the scan of folders and playlists.
    var scanStop: StopFlag?
    var change = Change.none
    /// How many items the user has skipped before there were several.
    var skips = 0
    /// Identifies the list that is played; nil if the items are no list.
    private var list: ItemKey?

    enum Stage {
        case playing
        /// The user has ended the queue, and the player fades.
        case ending
        case finished
    }

    /// What is about to replace the current entry.
    enum Change {
        case none
        /// The addresses, each as an item.
        case items
        /// The list at the only address; nil until it is fetched.
        case list(ListFetch?)

        var isNone: Bool { if case .none = self { true } else { false } }
        var isList: Bool { if case .list = self { true } else { false } }
    }

    init(_ spec: QueueSpec, _ context: UseContext) throws(Failure) {
        self.spec = spec
        self.context = context
        addresses = QueueAddresses(spec)
        queue = PlayQueue([], repeats: spec.repeats, shuffleSeed: spec.shuffleSeed)
        player = try Player(spec.sound, reactor: context.reactor)
    }

    var reactor: any Reactor { context.reactor }

    /// The entry being heard, or to be heard first.
    var heard: QueueEntry? { chain.heard }

    /// The state of the queue at the entry being heard.
    var heardQueue: PlayQueue { heard?.queue ?? chain.opening?.entry.queue ?? queue }
}

// MARK: - From the beginning to the end

extension QueueUse: Use {
    func begin() {
        player.onEvent = { [context] in context.tell(.player($0)) }
        player.onFinish = { [weak self] in self?.finished() }
        player.onSource = { [weak self] in self?.hear($0) }
        player.begin()
        keeper = PositionsKeeper(
            folder: spec.stateFolder, reactor: reactor, heard: { [weak self] in self?.heardPosition },
            onRead: { [weak self] in self?.start() })
        keeper?.onProblem = { [context] in context.tell(.queue(.cannotRemember($0))) }
    }

    func end() {
        if stage == .playing { stage = .ending }
        scanStop?.raise()
        notePosition()
        player.stop(.user)
    }

    var hasStarted: Bool { guess != nil || !queue.items.isEmpty }

    private func start() {
        guard !hasStarted, stage == .playing else { return }
        if let first = spec.sources.first, spec.sources.allSatisfy({ AddressText($0).isAddress }) {
            guess = SourceGuess(spec.sources)
            fitHold()
            take([QueueItem(address: first)])
        } else {
            scan()
        }
    }

    /// Begins playing with these items, which make up `list`.
    func take(_ items: [QueueItem], of list: ItemKey? = nil) {
        self.list = list
        queue.fill(items)
        guard !items.isEmpty else {
            return player.nothingFollows(
                Failure(.notAudio, "nothing was found that can be played", remedy: "give audio files"))
        }
        do throws(Failure) {
            let index = try firstIndex(of: items)
            var decision = queue.start(at: index)
            if items.count > 1 { for _ in 0..<skips { decision = queue.next() } }
            carryOut(decision, queue, isCut: true)
        } catch {
            player.nothingFollows(error)
        }
    }

    /// The index of the item to begin with; nil for the first one. Throws if there is no such item.
    private func firstIndex(of items: [QueueItem]) throws(Failure) -> Int? {
        let positions = spec.isFromStart ? nil : keeper?.positions
        queue.heard = Set(items.lazy.filter { positions?.isHeard($0) == true }.map(\.key))
        // A single address may still turn out to be a list.
        if let number = spec.firstItem, guess?.isSettled != false || items.count > 1 {
            guard number <= items.count else { throw .noItem(number, of: items.count) }
            return number - 1
        }
        guard let positions, let list, !queue.isShuffled else { return nil }
        guard let index = positions.firstIndex(of: items, in: list) else {
            guard spec.repeats == .none else {
                queue.heard = []
                return nil
            }
            throw .allHeard(items.count)
        }
        if index > 0 { context.tell(.queue(.continues(at: index + 1))) }
        return index
    }

    /// Holds sound back until it is known what the addresses are.
    func fitHold() { player.isHeldBack = !change.isNone || guess?.isOpen == true }

    /// Ends the queue, because a single item turned out not to be a list, but the user wants a later item.
    func refuseItem(_ number: Int) {
        dropAll(.stopped)
        player.drop()
        player.nothingFollows(.noItem(number, of: 1))
    }

    /// Replaces the queue by the items that the addresses turned out to be.
    func become(_ items: [QueueItem], of list: ItemKey?, title: String?, allowsPrivate: Bool?) {
        guard stage == .playing else { return }
        let now = heardQueue
        addresses.listAllowsPrivate = allowsPrivate
        guess?.settle()
        context.tell(.queue(.list(title: title, count: items.count)))
        dropAll(.stopped)
        player.drop()
        change = .none
        fitHold()
        played = PlayedItems()
        let seed = spec.shuffleSeed ?? UInt64.random(in: .min ... .max)
        queue = PlayQueue([], repeats: now.repeats, shuffleSeed: now.isShuffled ? seed : nil)
        take(items, of: list)
    }

    private func finished() {
        guard stage != .finished else { return }
        let hasEnded = stage == .ending
        stage = .finished
        tellFailures()
        let player = player.snapshot
        let failure = player.status.failureAtEnd
        let isAllHeard = !hasEnded && player.status.stopReason == .endOfStream
        for entry in chain.entries {
            // Entries after the current one that were not heard do not belong in the report.
            guard entry === heard || entry.failure != nil || isAllHeard else { continue }
            let end = entry.failure.map { ItemEnd.failed($0) }
            let ending = end ?? (hasEnded ? .stopped : failure.map { .failed($0) } ?? .playedToItsEnd)
            if ending == .playedToItsEnd, entry.played.end == nil { keeper?.pass(entry.item) }
            finish(entry, ending)
        }
        if isAllHeard { forgetList() }
        dropAll(.stopped)
        if case .list(let fetch?) = change { fetch.cancel() }
        scanStop?.raise()
        var outcome = PlayOutcome(player: player, failure: failure)
        outcome.items = played.items
        guard let keeper = keeper.take() else { return tell(outcome) }
        keeper.close { [self] in tell(outcome) }
    }

    private func tell(_ outcome: PlayOutcome) {
        reactor.defer { [self] in context.onEnd(outcome) }
    }

    func networkChanged() { for entry in chain.entries { entry.programme?.networkChanged() } }

    func clockStepped() { for entry in chain.entries { entry.programme?.clockStepped() } }
}

// MARK: - What comes next

extension QueueUse {
    /// Opens the item that was decided on, or ends the queue. `queue` is its state after the decision.
    func carryOut(_ decision: QueueDecision, _ queue: PlayQueue, isCut: Bool, from start: Duration? = nil) {
        if !decision.keepsPosition, isCut { passHeard() }
        switch decision.step {
        case .play(let item):
            let isAgain = !decision.keepsPosition && item.key == heard?.item.key
            let begin =
                start ?? (spec.isFromStart || isAgain ? .zero : keeper?.positions.position(of: item) ?? .zero)
            let entry = QueueEntry(item, queue, from: begin, start == nil ? .near : .exact)
            if isCut, let list, !queue.isShuffled { keeper?.enter(item, of: list) }
            open(entry, isCut: isCut)
        case .end(let failure): player.nothingFollows(failure)
        }
    }

    func open(_ entry: QueueEntry, isCut: Bool) {
        // While the new item is being opened, the queue must not end.
        if isCut, !chain.isEmpty { _ = player.mayProceed() }
        chain.open(entry, isCut: isCut)?.close()
        let opener = opener(for: entry) { [weak self, weak entry] result in
            // The opener is still executing while it calls this.
            if let entry { self?.opened(entry, result) }
        }
        entry.stage = .opening(opener)
    }

    private func opened(_ entry: QueueEntry, _ result: Result<OpenItem, Failure>) {
        guard stage != .finished, let isCut = chain.opened(entry) else { return }
        entry.stage = .none
        switch result {
        case .failure where entry.isSeek:
            // The file may have been replaced, so everything that is known about it has to be determined again.
            if heard?.knowledge != nil { heard?.survey = .expected }
            context.tell(.queue(.cannotSeek))
            decideAgain()
        case .failure(let failure): fail(entry, failure, isCut: isCut)
        case .success(let open):
            if let knowledge = open.knowledge { entry.survey = .done(knowledge) }
            entry.stage = .open(open.programme, .none)
            if let place = entry.begins(at: open.passage.start) {
                context.tell(.queue(.lostPlace(entry.played, place)))
            }
            open.programme.onNotice = { [weak self, weak entry] notice in
                if let self, let entry { said(notice, by: entry) }
            }
            open.programme.onUnread = { [weak self, weak entry] response in
                guard let self, let entry, guess?.mayBeList == true else { return false }
                entry.keep(.unread(response))
                return true
            }
            open.programme.onBeginning = { [weak self, weak entry] beginning in
                if let self, let entry { survey(entry, after: beginning) }
            }
            if isCut || chain.isEmpty {
                if entry.isSeek, let old = heard, old.item.key == entry.item.key {
                    // A seek stays in the same item, and the item is reported only once.
                    (entry.heardBefore, old.played.end) = (old.heardBefore, .skipped)
                } else {
                    // The next item may have begun while the seek was being opened.
                    entry.heardBefore = player.snapshot.heard
                    if entry.isSeek { entry.hearing = .notYet }
                }
                dropAll(.skipped)
                chain.append(entry, as: player.play(open.programme, open.passage))
            } else {
                chain.append(entry, as: player.follow(with: open.programme, open.passage))
            }
            open.programme.start()
        }
    }

    /// Handles an entry that failed: reports the failure, and opens the item that the queue decides on.
    func fail(_ entry: QueueEntry, _ failure: Failure, isCut: Bool, at position: Duration? = nil) {
        guard entry.failure == nil else { return }
        entry.supply = .failed(failure, at: position, isWorthAnotherTry: isWorthAnotherTry(entry, failure))
        // A retry that brought no audio adds nothing to the report of the first try.
        let isKnown = entry.mustBeginThere && entry.heardBefore == nil
        if !isKnown, chain.id(of: entry) == nil { finish(entry, .failed(failure)) }
        let (decision, queue) = decision(after: entry)
        // A station has already reported its failure if it is retried, or if it is the only item.
        let isSaid =
            switch decision.step {
            case .play(entry.item): entry.isOpenAddress
            case .end(failure): entry.isOpenAddress && queue.items.count == 1
            default: false
            }
        if !isSaid, failures.add(Self.alike) { context.tell(.queue(.failed(entry.played, failure))) }
        entry.close()
        // If the user has requested another item meanwhile, that item is already being opened.
        guard !chain.isCut else { return }
        carryOut(decision, queue, isCut: isCut || chain.isEmpty, from: position)
    }

    /// Decides what follows an entry that has been received or has failed. Returns the decision, and the state of the
    /// queue after it.
    private func decision(after entry: QueueEntry) -> (QueueDecision, PlayQueue) {
        var queue = entry.queue
        guard case .failed(let failure, _, let isWorthAnotherTry) = entry.supply else {
            return (queue.played(), queue)
        }
        let decision = queue.failed(failure)
        guard decision.step == .play(entry.item), !isWorthAnotherTry else { return (decision, queue) }
        return (queue.failed(failure), queue)
    }

    /// Decides again what follows the last entry, because the entry being opened was dropped.
    func decideAgain() {
        guard let (id, last) = chain.last, !chain.isCut else { return }
        switch last.supply {
        case .arriving: break
        case .received(let held): received(id, held)
        case .failed(_, let position, _):
            let (decision, queue) = decision(after: last)
            carryOut(decision, queue, isCut: false, from: position)
        }
    }

    /// Whether to try a failed entry again: true only for a file that broke off or could not be reached. Trying again
    /// does not help if a file is missing or not audio, or if its audio cannot be decoded. A station has already been
    /// retried for as long as the user is willing to wait.
    private func isWorthAnotherTry(_ entry: QueueEntry, _ failure: Failure) -> Bool {
        guard failure.failureClass != .sound, let hub = entry.programme?.hub, hub.info?.kind == .finite else {
            return false
        }
        return hub.hasAudio || !failure.isLastWord
    }

    /// The reason under which failures of different items are counted together, if they are too many to report one by
    /// one.
    private static let alike = "none of them can be played"

    private func tellFailures() {
        for notice in failures.rest { context.tell(.queue(notice)) }
        failures = SkippedItems()
    }

    private func hear(_ event: Player.SourceEvent) {
        switch event {
        case .heard(let id): heard(id)
        case .received(let id, let failure): received(id, failure)
        case .undecodable(let id, let failure): if let entry = chain[id] { undecodable(entry, failure) }
        }
    }

    /// Handles an entry that cannot be decoded. The previous item may still be heard, and the next one may already
    /// follow.
    private func undecodable(_ entry: QueueEntry, _ failure: Failure) {
        if !entry.isAnnounced { entry.hearing = .announced }
        guard entry !== heard, entry !== chain.last?.entry else { return fail(entry, failure, isCut: entry === heard) }
        guard entry.failure == nil else { return }
        entry.supply = .failed(failure, at: nil, isWorthAnotherTry: false)
        context.tell(.queue(.failed(entry.played, failure)))
    }

    private func heard(_ id: Int) {
        guard let before = chain.hear(id) else { return }
        for entry in before {
            if entry.failure == nil { keeper?.pass(entry.item) }
            finish(entry, entry.failure.map { .failed($0) } ?? .playedToItsEnd)
            entry.close()
        }
        guard let entry = heard, !entry.isAnnounced else { return }
        entry.hearing = .announced
        tellFailures()
        entry.heardBefore = player.snapshot.heard
        if entry.isFile { entry.played.title = entry.title ?? entry.played.title }
        context.tell(.queue(.began(entry.played, from: entry.start)))
    }

    func received(_ id: Int, _ failure: Failure?) {
        guard let (last, entry) = chain.last, last == id, entry.failure == nil else { return }
        entry.supply = .received(held: failure)
        // Another item is already being opened to replace this one.
        guard !chain.isCut else { return }
        if change.isList || failure.map({ mayBeList($0, entry) }) == true { return }
        if let failure {
            return fail(entry, failure, isCut: false, at: player.received(id))
        }
        let (decision, queue) = decision(after: entry)
        carryOut(decision, queue, isCut: false)
    }

    func finish(_ entry: QueueEntry, _ end: ItemEnd) {
        guard entry.played.end == nil else { return }
        entry.played.end = end
        if let before = entry.heardBefore { entry.played.heard = max(.zero, player.snapshot.heard - before) }
        entry.played.title = entry.title ?? entry.played.title
        played.add(entry.played)
    }

    private func dropAll(_ end: ItemEnd) {
        if let heard { finish(heard, heard.failure.map { .failed($0) } ?? end) }
        for entry in chain.takeAll() { entry.close() }
    }

    func notePosition() { keeper?.note() }

    /// Forgets the position of the item being heard, as if the item had ended.
    func passHeard() {
        guard let heard, heard.isAnnounced else { return }
        heard.hearing = .passed
        keeper?.pass(heard.item)
    }

    /// Forgets where the list was left, because it was played to its end.
    func forgetList() { if let list { keeper?.forget(list) } }

    /// The item being heard, and the position in it. Nil if nothing is heard yet, if the item is endless, or if the
    /// user has sought past its end.
    private var heardPosition: PositionsKeeper.HeardItem? {
        guard let heard, heard.hearing == .announced else { return nil }
        let (player, list) = (player.snapshot, heard.queue.isShuffled ? nil : list)
        return player.position.map {
            PositionsKeeper.HeardItem(item: heard.item, position: $0, length: player.length, list: list)
        }
    }
}

extension Failure {
    fileprivate static func noItem(_ number: Int, of count: Int) -> Failure {
        Failure(
            .notFound,
            "there is no item \(number): " + (count == 1 ? "this is not a list" : "the list has \(count) items"),
            remedy: "list the items to see their numbers")
    }

    fileprivate static func allHeard(_ count: Int) -> Failure {
        Failure(
            .notFound, count == 1 ? "the only episode was heard" : "all \(count) episodes were heard",
            remedy: "play one again by its number, or all of them from the start")
    }
}
