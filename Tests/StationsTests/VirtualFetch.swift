// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import EventLoopTesting
import RadioCore
import TestSupport
import TestTools
import Testing

/// Work in virtual time that fetches something and is then done, from a server to which connections take no time.
final class VirtualFetch<Found, Problem: Error> {
    let reactor = ManualReactor()
    let origin: VirtualOrigin
    private(set) var results: [Result<Found, Problem>] = []
    /// Cancels the work.
    private(set) var cancel: () -> Void = {}

    /// Begins the work. The closure that `begin` returns cancels it.
    init(
        _ script: LiveScript,
        _ begin: (any HTTPClient, any Reactor, @escaping (Result<Found, Problem>) -> Void) -> () -> Void
    ) {
        origin = VirtualOrigin(script, reactor: reactor)
        origin.answersAtOnce()
        cancel = begin(origin, reactor) { [unowned self] in results.append($0) }
        reactor.settle()
    }

    deinit { cancel() }

    /// The only result. If a thread of its own reads what was fetched, this waits for it.
    func result() throws -> Result<Found, Problem> {
        _ = waitUntil(.seconds(60)) {
            reactor.settle()
            return !results.isEmpty
        }
        #expect(results.count == 1)
        return try #require(results.first)
    }
}

extension Result where Failure == RadioCore.Failure {
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
