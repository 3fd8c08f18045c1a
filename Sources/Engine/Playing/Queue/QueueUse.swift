// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import Platform
import Playback
import RadioCore
import RadioFormats
import Stations

/// Items that are heard one after the other on this machine. Confined to the loop's thread.
///
/// ``PlayQueue`` decides what comes next, ``Player`` makes it heard, and this has each item opened: the next one as soon
/// as all of the present one has been received, so that there need be no gap. What is received runs ahead of what is
/// heard, and so each entry has the queue as it stood with it: whoever skips means what is heard.
final class QueueUse {
    let spec: QueueSpec
    let context: UseContext
    let player: Player
    /// What is heard, and what was handed to the player behind it; the last one is still received.
    var chain: [QueueEntry] = []
    /// What is being opened, and whether it is to be heard at once.
    var coming: (entry: QueueEntry, isCut: Bool)?
    /// The queue before anything was opened.
    var queue: PlayQueue
    private var played = PlayedItems()
    /// Since an item was heard last.
    private var failures = SkippedItems()
    private var keeper: PositionsKeeper?
    var addresses: QueueAddresses
    private(set) var hasEnded = false
    private(set) var isFinished = false
    /// What the addresses of the command line turn out to be.
    var guess: SourceGuess?
    var fetch: ListFetch?
    /// Raised where folders and playlists need not be looked at any further.
    var scanStop: StopFlag?
    /// Whether it is being looked at whether the address is that of a list.
    var isFetching = false
    /// Whether other items are about to take the place of what comes.
    var isReplaced = false

    init(_ spec: QueueSpec, _ context: UseContext) throws(Failure) {
        self.spec = spec
        self.context = context
        addresses = QueueAddresses(spec)
        queue = PlayQueue([], repeats: spec.repeats, shuffleSeed: spec.shuffleSeed)
        player = try Player(spec.sound, reactor: context.reactor)
    }

    var reactor: any Reactor { context.reactor }

    /// What is heard, or will be first.
    var heard: QueueEntry? { chain.first }

    /// The queue as it stands with what is heard.
    var heardQueue: PlayQueue { heard?.queue ?? coming?.entry.queue ?? queue }
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
    }

    func end() {
        hasEnded = true
        scanStop?.raise()
        notePosition()
        player.stop(.user)
    }

    var hasStarted: Bool { guess != nil || !queue.items.isEmpty }

    private func start() {
        guard !hasStarted, !hasEnded else { return }
        if let first = spec.sources.first, spec.sources.allSatisfy({ AddressText($0).isAddress }) {
            guess = SourceGuess(spec.sources)
            fitHold()
            take([QueueItem(address: first)])
        } else {
            scan()
        }
    }

    /// Begins with these items.
    func take(_ items: [QueueItem]) {
        var queue = queue
        queue.replace(items)
        self.queue = queue
        guard !items.isEmpty else {
            return player.nothingFollows(
                Failure(.notAudio, "there is nothing in it that can be played", remedy: "give files of audio"))
        }
        let decision = self.queue.start()
        carryOut(decision, self.queue, isCut: true)
    }

    /// Nothing is heard before it is known what the addresses are.
    func fitHold() { player.isHeldBack = isFetching || isReplaced || guess?.isOpen == true }

    /// A list has taken the place of its own address.
    func become(_ items: [QueueItem], title: String?, allowsPrivate: Bool?) {
        guard !hasEnded, !isFinished else { return }
        let now = heardQueue
        addresses.listAllowsPrivate = allowsPrivate
        guess = guess?.settled
        context.tell(.queue(.list(title: title, count: items.count)))
        dropAll(.stopped)
        player.drop()
        isReplaced = false
        fitHold()
        played = PlayedItems()
        let seed = spec.shuffleSeed ?? UInt64.random(in: .min ... .max)
        queue = PlayQueue([], repeats: now.repeats, shuffleSeed: now.isShuffled ? seed : nil)
        take(items)
    }

    private func finished() {
        guard !isFinished else { return }
        isFinished = true
        tellFailures()
        let player = player.snapshot
        let failure = player.status.error?.failure
        for entry in chain {
            // What was to follow, and is not heard, was not played.
            guard entry === heard || entry.failure != nil || !hasEnded else { continue }
            let end = entry.failure.map { ItemEnd.failed($0) }
            let ending = end ?? (hasEnded ? .stopped : failure.map { .failed($0) } ?? .playedToItsEnd)
            if ending == .playedToItsEnd, entry.played.end == nil { keeper?.forget(entry.item.key) }
            finish(entry, ending)
        }
        dropAll(.stopped)
        fetch?.cancel()
        scanStop?.raise()
        var outcome = PlayOutcome(player: player, failure: failure)
        outcome.items = played.items
        guard let keeper = keeper.take() else { return tell(outcome) }
        keeper.close { [self] in tell(outcome) }
    }

    private func tell(_ outcome: PlayOutcome) {
        reactor.defer { [self] in context.onEnd(outcome) }
    }

    func networkChanged() { for entry in chain { entry.programme?.networkChanged() } }

    func clockStepped() { for entry in chain { entry.programme?.clockStepped() } }
}

// MARK: - What comes next

extension QueueUse {
    /// `queue` is as the decision leaves it.
    func carryOut(_ decision: QueueDecision, _ queue: PlayQueue, isCut: Bool, from start: Duration? = nil) {
        if decision.position == .forgotten, isCut, let item = heard?.item { keeper?.forget(item.key) }
        switch decision.step {
        case .play(let item):
            let isAgain = decision.position == .forgotten && item.key == heard?.item.key
            let begin =
                start ?? (spec.isFromStart || isAgain ? .zero : keeper?.position(of: item.key) ?? .zero)
            let entry = QueueEntry(item, queue, from: begin)
            entry.mustBeginThere = start != nil
            open(entry, isCut: isCut)
        case .stop: break
        case .end(let failure): player.nothingFollows(failure)
        }
    }

    func open(_ entry: QueueEntry, isCut: Bool) {
        coming?.entry.close()
        coming = (entry, isCut)
        entry.opening = opener(for: entry, isCut: isCut) { [weak self, weak entry] result in
            // An opener speaks from inside its own work.
            if let entry { self?.opened(entry, result) }
        }
    }

    private func opened(_ entry: QueueEntry, _ result: Result<OpenItem, Failure>) {
        guard let coming, coming.entry === entry, !isFinished else { return }
        self.coming = nil
        entry.opening = nil
        switch result {
        case .failure where entry.isSeek:
            // It may be another file by now: what was known of it is found out anew.
            heard?.knowledge = nil
            context.tell(.queue(.cannotSeek))
            if let last = chain.last, last.isReceived, let id = last.id { received(id, nil) }
        case .failure(let failure): fail(entry, failure, isCut: coming.isCut)
        case .success(let open):
            entry.knowledge = open.knowledge ?? entry.knowledge
            entry.programme = open.programme
            open.programme.onNotice = { [weak self, weak entry] notice in
                if let self, let entry { said(notice, by: entry) }
            }
            (open.programme as? Station)?.onUnread = { [weak self, weak entry] response in
                if let self, let entry { keep(response, of: entry) } else { false }
            }
            if coming.isCut || chain.isEmpty {
                if entry.isSeek, let old = heard {
                    // It is the same item, and told of once.
                    (entry.heardBefore, old.played.end) = (old.heardBefore, .skipped)
                } else {
                    entry.heardBefore = player.snapshot.heard
                }
                dropAll(.skipped)
                chain = [entry]
                entry.id = player.play(open.programme, open.passage)
            } else {
                chain.append(entry)
                entry.id = player.follow(with: open.programme, open.passage)
            }
            open.programme.start()
        }
    }

    /// An entry that is not heard, and will not be.
    func fail(_ entry: QueueEntry, _ failure: Failure, isCut: Bool, at position: Duration? = nil) {
        guard entry.failure == nil else { return }
        entry.failure = failure
        // Of another try that has brought nothing the first one tells.
        let isKnown = entry.mustBeginThere && entry.heardBefore == nil
        if !isKnown, !chain.contains(where: { $0 === entry }) { finish(entry, .failed(failure)) }
        var queue = entry.queue
        var decision = queue.ended(.failed(failure))
        if decision.step == .play(entry.item), !isWorthAnotherTry(entry, failure) {
            decision = queue.ended(.failed(failure))
        }
        // The connection, the next try or the end of the only item says it, too.
        let isSaid =
            switch decision.step {
            case .play(entry.item): entry.programme is Station
            case .end(failure): queue.items.count == 1
            default: false
            }
        if !isSaid, failures.add(Self.alike) { context.tell(.queue(.failed(entry.played, failure))) }
        entry.close()
        carryOut(decision, queue, isCut: isCut || chain.isEmpty, from: position)
    }

    /// A file that breaks off is. What is not there, or no audio, is not there for the second time either, what cannot
    /// be decoded stays so, and a station has been tried for as long as somebody wants to wait.
    private func isWorthAnotherTry(_ entry: QueueEntry, _ failure: Failure) -> Bool {
        guard failure.failureClass != .sound, let hub = entry.programme?.hub, hub.info?.kind == .finite else {
            return false
        }
        return hub.hasAudio || !failure.isLastWord
    }

    /// Of many items that cannot be played, one behind the other, not each is told of.
    private static let alike = "none of them can be played"

    private func tellFailures() {
        for (count, reason) in failures.unsaid {
            context.tell(.queue(.skipped(item: "\(count) more", reason: reason)))
        }
        failures = SkippedItems()
    }

    private func hear(_ event: Player.SourceEvent) {
        switch event {
        case .heard(let id): heard(id)
        case .received(let id, let failure): received(id, failure)
        case .undecodable(let id, let failure):
            guard let entry = chain.first(where: { $0.id == id }) else { return }
            undecodable(entry, failure)
        }
    }

    /// Audio of the item before may still be heard, and the next one be on its way.
    private func undecodable(_ entry: QueueEntry, _ failure: Failure) {
        entry.hasAnnounced = true
        guard entry !== heard, entry !== chain.last else { return fail(entry, failure, isCut: entry === heard) }
        guard entry.failure == nil else { return }
        entry.failure = failure
        context.tell(.queue(.failed(entry.played, failure)))
    }

    private func heard(_ id: Int) {
        guard let index = chain.firstIndex(where: { $0.id == id }) else { return }
        for entry in chain[..<index] {
            if entry.failure == nil { keeper?.forget(entry.item.key) }
            finish(entry, entry.failure.map { .failed($0) } ?? .playedToItsEnd)
            entry.close()
        }
        chain.removeFirst(index)
        guard let entry = heard, !entry.hasAnnounced else { return }
        entry.hasAnnounced = true
        tellFailures()
        entry.heardBefore = player.snapshot.heard
        context.tell(.queue(.began(entry.played, from: entry.start)))
    }

    func received(_ id: Int, _ failure: Failure?) {
        guard let entry = chain.last, entry.id == id, entry.failure == nil else { return }
        entry.isReceived = true
        // Somebody wants something else now.
        guard coming?.isCut != true else { return }
        if isFetching || failure.map({ mayBeList($0, entry) }) == true { return entry.heldFailure = failure }
        if let failure {
            return fail(entry, failure, isCut: false, at: player.received(id))
        }
        var queue = entry.queue
        let decision = queue.ended(.playedToItsEnd)
        carryOut(decision, queue, isCut: false)
    }

    func finish(_ entry: QueueEntry, _ end: ItemEnd) {
        guard entry.played.end == nil else { return }
        entry.played.end = end
        if let before = entry.heardBefore { entry.played.heard = max(.zero, player.snapshot.heard - before) }
        entry.played.title = entry.item.title ?? entry.programme?.hub.title?.text
        played.add(entry.played)
    }

    private func dropAll(_ end: ItemEnd) {
        coming?.entry.close()
        coming = nil
        if let heard { finish(heard, end) }
        // Programmes tell of their end, and that is nobody's concern any more.
        let old = chain
        chain = []
        for entry in old { entry.close() }
    }

    func notePosition() { keeper?.note() }

    /// As at the end of what is heard.
    func forgetHeard() {
        guard let heard else { return }
        heard.isPassed = true
        keeper?.forget(heard.item.key)
    }

    /// Nil where nothing is heard yet, or what has no end.
    private var heardPosition: PositionsKeeper.Heard? {
        guard let heard, heard.hasAnnounced, !heard.isPassed else { return nil }
        let player = player.snapshot
        return player.position.map {
            PositionsKeeper.Heard(key: heard.item.key, position: $0, length: player.length)
        }
    }
}
