// SPDX-License-Identifier: MIT

import EventLoop
import Instants

/// Finds out whether the name and the password of a request are right, without ever making the loop wait.
///
/// Confined to the loop's thread; hashes are computed on a ``PasswordThread``, which starts with the first password.
/// Failures are few for each client, and an unknown name takes the same path and the same time as a wrong password.
final class Authenticator {
    enum Verdict {
        case right
        /// Wrong, unknown, or not given.
        case wrong
        /// Too many failures: try again after that time.
        case tooOften(Duration)
        /// Too many passwords wait to be looked at.
        case busy
    }

    typealias Answer = (Verdict) -> Void

    private let reactor: any Reactor
    private let patience: Duration
    private let digest = KeyedDigest()
    private var cache = CredentialCache()
    private var failures = RateLimiter(Authenticator.failureLimit)
    /// Who waits for which password: many who come with the same one at once cost one hash.
    private var waiting: [KeyedDigest.Value: Waiting] = [:]
    private var thread: PasswordThread?

    private struct Waiting {
        let isKnown: Bool
        /// With the client whose guess it counts as; nil for a client that joined.
        var answers: [(client: SocketAddress.Host?, answer: Answer)]

        private static let most = 10_000

        mutating func join(_ answer: @escaping Answer) -> Bool {
            guard answers.count < Self.most else { return false }
            answers.append((nil, answer))
            return true
        }
    }

    /// What a client may get wrong at once, and how often from then on.
    private static let failureLimit = RateLimit(burst: 10, interval: .seconds(5))

    /// Answers as a rule come within `patience`; who would wait for longer is told so at once.
    init(reactor: any Reactor, patience: Duration) {
        self.reactor = reactor
        self.patience = patience
    }

    /// Answers now, or when the hash has been computed; on the loop in any case.
    func check(_ head: HTTPRequestHead, from client: SocketAddress.Host, _ users: UserList, _ answer: @escaping Answer)
    {
        guard let credentials = BasicCredentials(head) else { return answer(.wrong) }
        let known = users.hash(of: credentials.name)
        let hash = known ?? users.standIn
        let id = digest([Array(credentials.name.utf8), credentials.password, Array(hash.text.utf8)])
        if known != nil, cache.contains(id) { return answer(.right) }
        // The same again while it is being looked at is no new guess.
        if waiting[id]?.join(answer) == true { return }
        // Taken now and given back where it was right, so that many at once are not too many either.
        if let wait = failures.take(client, now: reactor.now) { return answer(.tooOften(wait)) }
        if waiting[id] == nil {
            guard let thread = runningThread(), thread.submit(.init(id: id, password: credentials.password, hash: hash))
            else {
                failures.giveBack(client, now: reactor.now)
                return answer(.busy)
            }
            waiting[id] = Waiting(isKnown: known != nil, answers: [])
        }
        waiting[id]?.answers.append((client, answer))
    }

    /// Ends the thread. Nobody is answered any more.
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
        for (client, answer) in asked.answers {
            if isRight, let client { failures.giveBack(client, now: reactor.now) }
            answer(isRight ? .right : .wrong)
        }
    }
}
