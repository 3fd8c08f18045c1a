// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import Platform
import RadioCore

/// Keeps the people of a users file up to date: looks at the file when somebody gives a password, at most once a
/// second. Confined to the loop's thread; each look has a thread of its own, because a disk may hang.
///
/// A file that cannot be used, perhaps because it is half written, leaves access to the people of before.
final class UsersFileWatch {
    typealias Answer = (UserList) -> Void

    /// Called with the reason when a changed file cannot be used.
    var onUnusable: ((SettingFault) -> Void)?

    private let reactor: any Reactor
    private var files: [String: Watched] = [:]

    private struct Watched {
        /// The people as the rules have them.
        let given: UserList
        /// The people of the newest usable file.
        var current: UserList
        /// The contents that ``current`` was read from, or that could not be used.
        var seen: FileSignature?
        var lookedAt: MonotonicInstant?
        /// Who waits for a look that has begun; nil if none has.
        var waiting: [Answer]?
    }

    /// What a look has found.
    private enum Finding: Sendable {
        case unchanged
        /// Somebody may still be writing the file, or it is gone.
        case unsettled
        case people(UserList, FileSignature)
        case unusable(SettingFault, FileSignature)
    }

    private static let interval = Duration.seconds(1)
    /// A look that takes longer is no longer waited for.
    private static let patience = Duration.seconds(2)
    private static let mostWaiting = 1_000

    init(reactor: any Reactor) {
        self.reactor = reactor
    }

    /// Calls `answer` with the people who have access now: at once, or after a look at their file.
    func current(_ users: UserList, _ answer: @escaping Answer) {
        guard let source = users.source else { return answer(users) }
        var watched = files[source.path] ?? Watched(given: users, current: users, seen: source.signature)
        // The rules have been read anew.
        if watched.given != users { watched = Watched(given: users, current: users, seen: source.signature) }
        defer { files[source.path] = watched }
        let now = reactor.now
        if let lookedAt = watched.lookedAt {
            let isWaitedFor = watched.waiting.map { $0.count < Self.mostWaiting && now - lookedAt < Self.patience }
            if isWaitedFor == true { return watched.waiting?.append(answer) ?? () }
            if isWaitedFor == false || now - lookedAt < Self.interval { return answer(watched.current) }
        }
        let (own, path, seen) = (reactor.bind(self), source.path, watched.seen)
        let wall = reactor.wallNow
        let thread = try? WorkerThread.start(name: "users file") {
            let finding = Self.look(path, seen, wall)
            own.tell { $0.found(finding, path) }
        }
        watched.lookedAt = now
        guard thread != nil else { return answer(watched.current) }
        watched.waiting = [answer]
    }

    /// Blocks on the disk.
    private static func look(_ path: String, _ seen: FileSignature?, _ now: WallInstant) -> Finding {
        guard let signature = FileSignature(ofFile: path) else { return .unsettled }
        guard signature != seen else { return .unchanged }
        guard signature.isSettled(at: now) else { return .unsettled }
        do throws(SettingFault) {
            return .people(try UserList(file: path), signature)
        } catch {
            return .unusable(error, signature)
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
        watched.waiting = nil
        files[path] = watched
        for answer in waiting { answer(watched.current) }
    }
}
