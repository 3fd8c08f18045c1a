// SPDX-License-Identifier: MIT

import Engine
import EventLoop
import Playback
import RadioCore
import RadioFormats
import Stations

// Opening items, and surveying files that are already being received.
extension QueueUse {
    func opener(
        for entry: QueueEntry, done: @escaping (Result<OpenItem, Failure>) -> Void
    ) -> any ItemOpener {
        switch entry.item.location {
        case .path(let path):
            FileOpener(path, name: entry.item.title ?? entry.item.name ?? path, from: entry.start, reactor, done: done)
        case .address(let address):
            AddressOpener(
                settings(for: address, entry.item.options), from: entry.start,
                AddressOpener.Way(
                    reached: entry.reached, knowledge: entry.knowledge, mayBeginAtStart: !entry.mustBeginThere),
                context.engine, done: done)
        }
    }

    /// Finds out the length and the seek points of a file whose beginning has arrived, while it is being received.
    func survey(_ entry: QueueEntry, after beginning: FileBeginning) {
        guard case .expected = entry.survey, case .address(let address) = entry.item.location else { return }
        let survey = FileSurvey(
            entry.reached ?? settings(for: address, entry.item.options), after: beginning,
            client: context.engine.client(), reactor: reactor
        ) { [weak self, weak entry] result in
            if let self, let entry { surveyed(entry, result) }
        }
        entry.survey = .running(survey, seek: nil)
    }

    private func surveyed(_ entry: QueueEntry, _ result: Result<FileSurvey.Found, Failure>) {
        let seek = entry.laterSeek
        entry.survey = .expected
        if case .success(let found) = result {
            entry.survey = .done(found.knowledge)
            if let id = chain.id(of: entry) { player.note(length: found.knowledge.facts.length, of: id) }
        }
        if let seek { self.seek(to: seek) }
    }

    private func settings(for address: String, _ options: EntryOptions) -> StationSettings {
        if let guess, !guess.isSettled { return addresses.settings(forMirrors: guess.addresses) }
        return addresses.settings(forItem: address, options)
    }

    /// Handles a notice from the connection of an item.
    func said(_ notice: StationNotice, by entry: QueueEntry) {
        if case .failed(let failure, _) = notice {
            // The address may be the address of a list. Then the outcome is reported after the list has been fetched.
            guard !change.isList, !mayBeList(failure, entry) else { return }
            if isPassedOver(entry, failure) {
                // The failure is reported by `fail`, so it must not be reported here as well.
                return reactor.defer { [weak self, weak entry] in
                    guard let self, let entry, entry.failure == nil else { return }
                    fail(entry, failure, isCut: false)
                }
            }
        }
        let isFile = entry.isFile || entry.item.isEpisode || entry.queue.items.count > 1
        context.tell(.programme(notice, of: isFile ? .finite : .live))
        switch notice {
        case .answered(let answer): entry.keep(.answered(answer))
        case .followedPlaylist(_, let entries, _, _):
            guess?.followedPlaylist(entries)
            fitHold()
        case .connected(let info):
            let verdict = guess?.connected(isFinite: info.kind == .finite)
            act(on: verdict, entry)
            fitHold()
            entry.reached = entry.programme?.reached ?? entry.reached
            guard info.kind == .finite, verdict != .isList, verdict != .addressesAreItems,
                case .none = entry.survey
            else { break }
            entry.survey = .expected
        default: break
        }
    }

    /// Whether to skip an item that cannot be reached. An item is skipped if there are others. The queue waits for a
    /// single station, because it may come back.
    private func isPassedOver(_ entry: QueueEntry, _ failure: Failure) -> Bool {
        guard !entry.isAnnounced, entry.programme?.hub.hasAudio != true else { return false }
        if isMissingFile(entry, failure), guess.map({ $0.addresses.count == 1 }) ?? true { return true }
        return entry.queue.items.count > 1 && guess?.isSettled != false && failure.isLastWord
    }
}

// A file that is not there.
extension QueueUse {
    /// Whether the item is a file that its server does not have. A radio server says the same of a station without an
    /// encoder, whose address may look like that of a file, too.
    private func isMissingFile(_ entry: QueueEntry, _ failure: Failure) -> Bool {
        guard case .address(let address) = entry.item.location, case .open(_, .answered(let answer)) = entry.stage
        else { return false }
        let ending = URLReference(address).pathExtension
        return [.notFound, .gone].contains(failure.failureClass) && !answer.isOfRadioServer
            && FileType.all.contains { $0.fileExtension == ending }
    }
}

extension Failure {
    /// Whether the failure is final: neither waiting nor retrying can help.
    var isLastWord: Bool { failureClass.isAnswer || failureClass.isFinal || failureClass == .refused }
}
