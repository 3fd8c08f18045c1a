// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import Platform
import RadioCore

/// Keeps the users of a users file up to date: checks the file for changes when a request contains a password, at most
/// once a second. Each check runs on a thread of its own, because a disk may hang.
///
/// If the file cannot be used, perhaps because it is half written, the previous users keep their access.
final class UsersFileWatch {
    typealias Answer = (UserList) -> Void

    /// Called with the reason when a changed file cannot be used.
    var onUnusable: ((SettingFault) -> Void)?

    private let reactor: any Reactor
    private var files: [String: Watched] = [:]

    private struct Watched {
        /// The users that the route's rules contain.
        var given: UserList
        /// The users of the newest usable version of the file.
        var current: UserList
        /// The signature of the last version that was read, whether it was usable or not; nil if the file was gone.
        var seen: FileSignature?
        var lookedAt: MonotonicInstant?
        /// The requests that wait for a check in progress; nil if no check is in progress.
        var waiting: [Answer]?
        /// The timer that ends the wait of these requests.
        var patience: (any ReactorTimer)?
    }

    /// The result of a check.
    private enum Finding: Sendable {
        case unchanged
        /// Somebody may still be writing the file.
        case unsettled
        case people(UserList, FileSignature)
        /// The signature is nil if the file is gone.
        case unusable(SettingFault, FileSignature?)
    }

    private static let interval = Duration.seconds(1)
    /// A request does not wait for a check that has taken longer than this.
    private static let patience = Duration.seconds(2)
    private static let mostWaiting = 1_000

    init(reactor: any Reactor) {
        self.reactor = reactor
    }

    /// Calls `answer` with the current users: at once, or after a check of their file.
    func current(_ users: UserList, _ answer: @escaping Answer) {
        guard let file = users.file else { return answer(users) }
        var watched = files[file.path] ?? Watched(given: users, current: users, seen: file.signature)
        // If the users of the rules differ, the rules have been reloaded.
        if watched.given != users { (watched.given, watched.current, watched.seen) = (users, users, file.signature) }
        defer { files[file.path] = watched }
        let now = reactor.now
        if let lookedAt = watched.lookedAt {
            let isWaitedFor = watched.waiting.map { $0.count < Self.mostWaiting && now - lookedAt < Self.patience }
            if isWaitedFor == true { return watched.waiting?.append(answer) ?? () }
            if isWaitedFor == false || now - lookedAt < Self.interval { return answer(watched.current) }
        }
        let (own, path, seen) = (reactor.bind(self), file.path, watched.seen)
        let wall = reactor.wallNow
        let thread = try? WorkerThread.start(name: "users file") {
            let finding = Self.look(path, seen, wall)
            own.tell { $0.found(finding, path) }
        }
        watched.lookedAt = now
        guard thread != nil else { return answer(watched.current) }
        watched.waiting = [answer]
        watched.patience = reactor.makeTimer { [weak self] in self?.endWait(file.path) }
        watched.patience?.arm(at: now + Self.patience)
    }

    /// Answers the requests that have waited long enough for a disk that hangs.
    private func endWait(_ path: String) {
        guard var watched = files[path], let waiting = watched.waiting else { return }
        watched.waiting = []
        files[path] = watched
        for answer in waiting { answer(watched.current) }
    }

    /// Checks whether the file has changed. Blocks on the disk.
    private static func look(_ path: String, _ seen: FileSignature?, _ now: WallInstant) -> Finding {
        let signature = FileSignature(ofFile: path)
        guard signature != seen else { return .unchanged }
        if let signature, !signature.isSettled(at: now) { return .unsettled }
        do throws(SettingFault) {
            let people = try UserList(file: path)
            // If the file has changed meanwhile, perhaps not all of it has been read.
            guard let signature, FileSignature(ofFile: path) == signature else { return .unsettled }
            return .people(people, signature)
        } catch {
            return FileSignature(ofFile: path) == signature ? .unusable(error, signature) : .unsettled
        }
    }

    private func found(_ finding: Finding, _ path: String) {
        guard var watched = files[path] else { return }
        switch finding {
        case .unchanged, .unsettled: break
        case .people(var users, let signature):
            users.realm = watched.given.realm
            (watched.current, watched.seen) = (users, signature)
        case .unusable(let fault, let signature):
            watched.seen = signature
            onUnusable?(fault)
        }
        let waiting = watched.waiting ?? []
        (watched.waiting, watched.patience) = (nil, nil)
        files[path] = watched
        for answer in waiting { answer(watched.current) }
    }
}
