// SPDX-License-Identifier: MIT

import EventLoop

/// Checks the name and password of requests without ever blocking the loop.
///
/// Hashes are computed on a ``PasswordThread``, which starts with the first password. Each client's failures are
/// limited, and an unknown name takes the same path and the same time as a wrong password.
final class Authenticator {
    enum Verdict {
        /// The user's name and password are right.
        case right(String)
        /// The name or the password is wrong. The value is the name that the client gave; nil if it gave none.
        case wrong(String?)
        /// Too many failures: try again after this time.
        case tooOften(Duration)
        /// Too many passwords are queued.
        case busy
    }

    typealias Answer = (Verdict) -> Void

    private let reactor: any Reactor
    private let patience: Duration
    private let digest = KeyedDigest()
    private var cache = CredentialCache()
    private var failures = RateLimiter<Guesser>(Authenticator.failureLimit)
    /// The requests waiting for each password: simultaneous requests with the same password cost a single hash.
    private var waiting: [KeyedDigest.Value: Waiting] = [:]
    private var thread: PasswordThread?

    /// The key under which failed guesses are counted. Many clients may share the address of a proxy on this machine.
    /// Their guesses are counted per user name, so that one of them cannot lock out the others.
    private struct Guesser: Hashable {
        let host: SocketAddress.Host
        let name: KeyedDigest.Value?
    }

    private struct Waiting {
        let isKnown: Bool
        /// The requests that wait. `guesser` is nil for a request that joined a check in progress: such a request is
        /// not charged as a guess.
        var answers: [(guesser: Guesser?, settle: (Bool) -> Void)]

        private static let most = 10_000

        mutating func join(_ settle: @escaping (Bool) -> Void) -> Bool {
            guard answers.count < Self.most else { return false }
            answers.append((nil, settle))
            return true
        }
    }

    /// How many failures a client may have at once, and how often a further failure is allowed after that.
    private static let failureLimit = RateLimit(burst: 10, interval: .seconds(5))

    /// Most answers come within `patience`; a request that would wait for longer is refused at once.
    init(reactor: any Reactor, patience: Duration) {
        self.reactor = reactor
        self.patience = patience
    }

    /// Calls `answer` at once, or when the hash has been computed; always on the loop.
    func check(_ head: HTTPRequestHead, from client: ServedClient, _ users: UserList, _ answer: @escaping Answer) {
        guard let credentials = BasicCredentials(head) else { return answer(.wrong(nil)) }
        let known = users.hash(of: credentials.name)
        let hash = known ?? users.standIn
        let id = digest([Array(credentials.name.utf8), credentials.password, Array(hash.text.utf8)])
        if known != nil, cache.contains(id) { return answer(.right(credentials.name)) }
        let settle = { (isRight: Bool) in
            answer(isRight ? .right(credentials.name) : .wrong(credentials.name))
        }
        // Credentials that are being checked already are not a new guess.
        if waiting[id]?.join(settle) == true { return }
        // The guess is charged now, and refunded if the password is right, so that simultaneous guesses cannot exceed
        // the limit.
        let guesser = Guesser(
            host: client.host.limitKey, name: client.isShared ? digest([Array(credentials.name.utf8)]) : nil)
        if let wait = failures.take(guesser, now: reactor.now) { return answer(.tooOften(wait)) }
        if waiting[id] == nil {
            guard let thread = runningThread(), thread.submit(.init(id: id, password: credentials.password, hash: hash))
            else {
                failures.giveBack(guesser, now: reactor.now)
                return answer(.busy)
            }
            waiting[id] = Waiting(isKnown: known != nil, answers: [])
        }
        waiting[id]?.answers.append((guesser, settle))
    }

    /// Ends the thread. Pending checks are never answered.
    func close() {
        thread?.close()
        thread = nil
        waiting = [:]
    }

    private func runningThread() -> PasswordThread? {
        if let thread { return thread }
        let own = reactor.bind(self)
        thread = try? PasswordThread(patience: patience) { id, matches in own.tell { $0.settle(id, matches) } }
        return thread
    }

    private func settle(_ id: KeyedDigest.Value, _ matches: Bool) {
        guard let asked = waiting.removeValue(forKey: id) else { return }
        let isRight = matches && asked.isKnown
        if isRight { cache.insert(id) }
        for (guesser, settle) in asked.answers {
            if isRight, let guesser { failures.giveBack(guesser, now: reactor.now) }
            settle(isRight)
        }
    }
}
