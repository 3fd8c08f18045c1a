// SPDX-License-Identifier: MIT

import Engine
import EventLoop
import MediaSources
import Playback
import RadioCore
import RadioFormats
import Stations

// Where items come from: files, folders, playlists, and addresses that turn out to be items or a list.
extension QueueUse {
    func scan() {
        do throws(Failure) {
            scanStop = try ItemScan.start(spec.sources, for: reactor.bind(self)) { queue, found in queue.scanned(found)
            }
        } catch {
            player.nothingFollows(error)
        }
    }

    private func scanned(_ found: ItemScan.Found) {
        guard stage == .playing else { return }
        var count = SkippedItems()
        for (item, reason) in found.skipped {
            if count.add(reason) { context.tell(.queue(.skipped(item: item, reason: reason))) }
        }
        for notice in count.rest { context.tell(.queue(notice)) }
        if found.list != nil, !found.items.isEmpty {
            context.tell(.queue(.list(title: nil, count: found.items.count)))
        }
        take(found.items, of: found.list)
    }

    /// If the only address on the command line has delivered no audio, starts reading it as a list. Returns whether it
    /// started.
    func mayBeList(_ failure: Failure, _ entry: QueueEntry) -> Bool {
        guard [.notAudio, .unsupported].contains(failure.failureClass), guess?.isNoAudio() == .isList else {
            return false
        }
        act(on: .isList, entry)
        return true
    }

    func act(on verdict: SourceGuess.Verdict?, _ entry: QueueEntry) {
        switch verdict {
        case nil, .undecided: break
        case .asItIs:
            guard let number = spec.firstItem, number > 1 else { break }
            reactor.defer { [weak self] in self?.refuseItem(number) }
        case .addressesAreItems:
            change = .items
            reactor.defer { [weak self] in
                guard let self else { return }
                become(spec.sources.map { QueueItem(address: $0) }, of: nil, title: nil, allowsPrivate: nil)
            }
        case .isList:
            change = .list(nil)
            reactor.defer { [weak self, weak entry] in
                if let self, let entry { fetchList(instead: entry) }
            }
        }
    }

    /// If there is an unread response, reads it as the list, and stops the station that received it. Otherwise fetches
    /// the list while the station continues, because the address may turn out not to be the address of a list.
    private func fetchList(instead entry: QueueEntry) {
        guard case .address(let address) = entry.item.location, case .list(nil) = change else { return }
        let done = { [weak self] (result: Result<ListFetch.Found, Failure>) in
            guard let self else { return }
            reactor.defer { [weak self] in self?.fetched(result, instead: entry) }
        }
        // Reuses the part of the list that the station's connection has already received.
        if case .open(let programme, .unread(let response)) = entry.stage {
            entry.stage = .open(programme, .none)
            programme.onNotice = nil
            programme.stop()
            change = .list(ListFetch(address, of: response, reactor: reactor, done: done))
        } else {
            var settings = addresses.settings(forMirrors: [address])
            let options = entry.item.options
            if !options.isEmpty { settings.options = [address: options] }
            change = .list(
                ListFetch(address, settings, client: context.engine.client(), reactor: reactor, done: done))
        }
    }
}

extension QueueUse {
    private func fetched(_ result: Result<ListFetch.Found, Failure>, instead entry: QueueEntry) {
        change = .none
        switch result {
        case .success(let found):
            for notice in found.notices { context.tell(.queue(notice)) }
            become(
                found.items, of: ItemKey(list: spec.sources), title: found.title,
                allowsPrivate: found.allowsPrivateAddresses)
        case .failure(let failure):
            fitHold()
            // The fetch has read the whole response, so its failure is more accurate than the failure of the station's
            // connection.
            if case .received(.some) = entry.supply {
                fail(entry, failure, isCut: false)
            } else if entry.programme?.hub.hasEnded == true {
                // The response may have been a message that the station is off the air, so try the station again.
                entry.played.end = .stopped
                open(QueueEntry(entry.item, entry.queue, from: entry.start), isCut: true)
            }
        }
    }
}

extension ListFetch.Found {
    /// What is said about items that are missing, and about options that are not applied.
    var notices: [QueueNotice] {
        var notices: [QueueNotice] = []
        if leftOut > 0 {
            let reason = "a list from the web has at most \(items.count) items"
            notices.append(.skipped(item: "\(leftOut) more", reason: reason))
        }
        if let warning { notices.append(.skipped(item: "the rest of the list", reason: warning)) }
        if !ignoredOptions.isEmpty {
            let names = ignoredOptions.joined(separator: ", ")
            notices.append(.skipped(item: "the options \(names) of the list", reason: "they are not known"))
        }
        return notices
    }
}
