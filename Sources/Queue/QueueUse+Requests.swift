// SPDX-License-Identifier: MIT

import Engine
import Playback
import RadioCore
import Stations

// Requests to a queue, and its snapshot.
extension QueueUse {
    /// A seek goes to a position at least this long before the end of the item.
    private static let lastPart = Duration.seconds(1)

    func perform(_ request: any UseRequest) {
        guard let request = request as? PlayRequest, stage != .finished else { return }
        switch request {
        case .next: if heardQueue.items.count > 1 { move { $0.next() } } else { skips += 1 }
        // An endless programme has no start to which `previous` could return.
        case .previous: if heardQueue.items.count > 1 || hasEnd { move { $0.previous() } }
        case .seek(let distance):
            guard let position = player.snapshot.position else { return player.perform(request) }
            let wanted = chain.opening.flatMap { $0.entry.isSeek ? $0.entry.start : nil } ?? heard?.laterSeek
            seek(to: (wanted ?? position) + distance)
        case .position(let position): seek(to: position)
        case .setRepeat(let repeats): reorder { $0.repeats = repeats }
        // A single station has nothing to repeat.
        case .changeRepeat: if heardQueue.items.count > 1 || hasEnd { reorder { $0.repeats = $0.repeats.next } }
        case .setShuffle(let isShuffled): if isShuffled != heardQueue.isShuffled { toggleShuffle() }
        case .toggleShuffle: if heardQueue.items.count > 1 { toggleShuffle() }
        case .pause, .resume, .togglePause, .liveEdge, .volume, .changeVolume, .toggleMute: player.perform(request)
        }
    }

    /// Whether the item that is heard has an end.
    private var hasEnd: Bool { player.snapshot.position != nil }

    private func move(_ decide: (inout PlayQueue) -> QueueDecision) {
        guard hasStarted else { return }
        notePosition()
        // If an item is being opened to replace the item being heard, a skip counts from the item being opened.
        var queue = chain.opening.flatMap { $0.isCut ? $0.entry.queue : nil } ?? heardQueue
        let decision = decide(&queue)
        if case .end = decision.step {
            passHeard()
            if let heard { finish(heard, .skipped) }
            end()
            return forgetList()
        }
        carryOut(decision, queue, isCut: true)
    }

    func seek(to position: Duration) {
        guard let heard,
            let length = player.snapshot.length ?? player.snapshot.position.map({ _ in Duration.seconds(1 << 30) })
        else { return }
        guard position < length || heard.queue.items.count == 1 else {
            passHeard()
            return move { $0.next() }
        }
        let position = max(.zero, min(position, length - Self.lastPart))
        let isReceived = player.seek(to: position)
        heard.laterSeek = isReceived ? nil : position
        if isReceived {
            // This seek replaces an earlier one that is still being opened.
            if let earlier = chain.takeSeek() {
                earlier.close()
                decideAgain()
            }
            return
        }
        if case .running = heard.survey { return }
        let entry = QueueEntry(heard.item, heard.queue, from: position, .seek)
        (entry.reached, entry.survey) = (heard.reached, heard.survey)
        entry.hearing = heard.isAnnounced ? .announced : .notYet
        entry.played.title = heard.played.title
        open(entry, isCut: true)
    }

    private func toggleShuffle() {
        let seed = UInt64.random(in: .min ... .max)
        reorder { $0.shuffle(seed: $0.isShuffled ? nil : seed) }
    }

    private func reorder(_ change: (inout PlayQueue) -> Void) {
        change(&queue)
        chain.changeQueues(change)
        let now = heardQueue
        context.tell(.queue(.order(now.repeats, isShuffled: now.isShuffled)))
        // After the change, another item may be next. The next item that was already opened is dropped, unless it has
        // begun to be heard.
        if let next = chain.takeOpening() {
            next.close()
        } else if chain.hasFollower, player.cancelFollower() {
            chain.takeFollower()?.close()
        } else if chain.opening == nil {
            guard player.mayProceed() else { return }
        }
        decideAgain()
    }

    var snapshot: (any UseSnapshot)? {
        var progress = PlayProgress(player: player.snapshot)
        var now = QueueProgress()
        let entry = heard ?? chain.opening?.entry
        let queue = heardQueue
        now.title = entry?.item.title
        // Tags lie at the start of a file, which a seek may skip.
        if let entry, entry.isSeek, progress.player.title == nil { now.title = now.title ?? entry.played.title }
        now.source = entry?.played.source
        now.number = queue.currentIndex.map { $0 + 1 }
        now.count = queue.items.count
        (now.repeats, now.isShuffled) = (queue.repeats, queue.isShuffled)
        now.isFinite = progress.player.position != nil
        now.station = entry?.programme?.snapshot
        progress.queue = now
        return progress
    }
}

extension QueueRepeat {
    /// The mode that the repeat key switches to.
    fileprivate var next: QueueRepeat {
        switch self {
        case .none: .one
        case .one: .all
        case .all: .none
        }
    }
}
