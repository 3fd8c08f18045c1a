// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// Makes the programme of our own station: item after item, round after round. Knows no clock.
///
/// Confined to one thread, which must not be the loop's if items are files, because reading blocks. All frames are of
/// one ``AudioKind``, the most frequent one, so that a listener need not reconnect; items of another kind are skipped.
/// Standard input may change its kind.
package final class Playout: StepSource {
    private let supply: any MediaSupply
    private let repeats: Bool
    private var order: RoundOrder
    private var pick = KindPick()

    private var phase = Phase.new
    /// The supply's latest items, and those of this round in playing order.
    private var items: [MediaItem] = []
    private var round: [MediaItem] = []
    private var index = 0
    private var item: MediaItem?
    private var open: PlayoutItem?
    private var format: StreamFormat?

    private var steps = StepBuffer()

    /// Whether the current item has not yielded a frame.
    private var isItemNew = false
    // State of the current round, and of all rounds.
    private var playedInRound = Duration.zero
    private var playedSinceScan = Duration.zero
    private var hasPlayed = false
    private var lastPlayed: String?
    private var ignored = IgnoredItems()

    private enum Phase {
        case new, playing, idle, over
    }

    /// Keeps a folder with hardly any audio from being scanned again and again.
    private static let leastBetweenScans = Duration.seconds(2)
    /// How long to wait before looking again for something that can be played.
    private static let idleTime = Duration.seconds(5)
    /// The most reads for one step, so that an item without frames does not hold up the thread.
    private static let mostReads = 64

    /// Plays items in memory.
    package convenience init(_ items: [MediaItem], repeats: Bool) {
        self.init(ItemSupply(items), repeats: repeats)
    }

    init(_ supply: any MediaSupply, shuffleSeed: UInt64? = nil, repeats: Bool) {
        self.supply = supply
        self.repeats = repeats
        order = RoundOrder(shuffleSeed: shuffleSeed)
    }

    /// The next step; nil if a number of reads brought no step, or after the last one.
    package func next() -> MediaStep? {
        for _ in 0..<Self.mostReads where steps.count == 0 && phase != .over {
            if open == nil { openNext() } else { advance() }
        }
        return steps.take()
    }

    package func close() { phase = .over }
}

// MARK: - Inside an item

extension Playout {
    /// Reads once, and handles the events of that read.
    private func advance() {
        switch open?.read() {
        case .ended: return isItemNew ? skip(because: "it holds no audio") : leave()
        case .unplayable(let reason): return skip(because: reason)
        case .broken(let reason): return skip(because: reason, forNow: true)
        case .parts(let found): take(found)
        case nil: break
        }
        if let item, let bytes = open?.takeAttachments() { steps.append(.leftOut(bytes: bytes, of: item.name)) }
    }

    private func take(_ found: StreamParts) {
        var parts = StreamParts()
        var refused: AudioKind?
        found.forEach { element in
            guard refused == nil else { return }
            switch element {
            case .frames(let batch, let bytes):
                parts.append(batch, bytes)
                played(batch)
            case .part(.format(let format)):
                guard pick.accepts(format.kind) || item?.isStream == true else { return refused = format.kind }
                if format != self.format { parts.append(.format(format)) }
                self.format = format
            case .part(let part): parts.append(part)
            }
        }
        if !parts.isEmpty { steps.append(.parts(parts)) }
        // A later round may be one of its kind.
        guard let refused else { return }
        skip(
            because: "it is \(refused.words), but \(pick.kind?.words ?? "other audio") is being played", forNow: true)
    }

    private func played(_ batch: FrameBatch) {
        isItemNew = false
        let samples = (0..<batch.count).reduce(Int64(0)) { $0.addingSaturated(Int64(batch[$1].samples)) }
        let length = Duration.samples(samples, at: format?.sampleRate ?? 0)
        playedInRound += length
        playedSinceScan += length
        hasPlayed = true
        lastPlayed = item?.key
    }

    /// Skips the rest of the current item. `forNow`: whether the next round is to try the item again.
    private func skip(because reason: String, forNow: Bool = false) {
        if let item {
            tell(item.key, item.name, reason)
            if isItemNew, !forNow { ignored.ignore(item) }
        }
        leave()
    }

    private func tell(_ key: String, _ name: String, _ reason: String) {
        if ignored.isNew(key) { steps.append(.skipped(item: name, reason: reason)) }
    }

    private func leave() {
        (open, item) = (nil, nil)
    }
}

// MARK: - From item to item

extension Playout {
    private func openNext() {
        guard index < round.count else { return nextRound() }
        let item = round[index]
        index += 1
        guard !ignored.contains(item) else { return }
        (self.item, isItemNew) = (item, true)
        do throws(Failure) {
            open = try PlayoutItem(item, supply.stop)
        } catch {
            skip(because: error.message, forNow: true)
        }
    }

    private func nextRound() {
        if phase == .playing, let end = endOfRound() {
            steps.append(end)
            phase = if case .ended = end { .over } else { .idle }
            return
        }
        if phase != .playing || (supply.mayChange && playedSinceScan >= Self.leastBetweenScans) {
            items = supply.round { name, reason in tell(name, name, reason) }
            playedSinceScan = .zero
        }
        // Nothing of the kind is left.
        if phase == .idle { pick = KindPick() }
        phase = .playing
        let playable = items.filter { !ignored.contains($0) }
        if pick.kind == nil { pick.choose(from: playable, supply.stop) }
        round = order.arranged(playable, after: lastPlayed)
        (index, playedInRound) = (0, .zero)
    }

    /// The step that ends a round; nil if the next round begins at once.
    private func endOfRound() -> MediaStep? {
        guard hasPlayed else { return .ended(Self.nothing) }
        guard repeats else { return .ended(nil) }
        guard playedInRound == .zero else { return nil }
        return supply.mayChange ? .idle(Self.idleTime) : .ended(Self.nothing)
    }

    private static let nothing = Failure(
        .notAudio, "nothing can be played", remedy: "give audio files, such as MP3, AAC or Ogg")
}
