// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import RadioCore
import TestTools

/// A client on an event loop of its own, for work that fetches something and is then done.
///
/// Sound although not Sendable by itself: `client` and `work` are used on the loop only.
final class FetchRig: @unchecked Sendable {
    typealias Done<Found> = (Result<Found, Failure>) -> Void

    private let loop: EventLoop
    private var client: CurlClient?
    private var work: AnyObject?

    init() throws {
        loop = try EventLoop(name: "fetch-test")
        try loop.start()
    }

    deinit { loop.shutdown() }

    /// Begins work on the loop, and waits for its result.
    func result<Found: Sendable>(
        _ begin: @escaping @Sendable (any HTTPClient, any Reactor, @escaping Done<Found>) -> AnyObject
    ) async throws -> Result<Found, Failure> {
        let results = Watched<[Result<Found, Failure>]>([])
        loop.post { [self] in
            let client = CurlClient(reactor: loop.reactor)
            self.client = client
            work = begin(client, loop.reactor) { result in results.change { $0.append(result) } }
        }
        let result = try await onThread { results.wait(within: .seconds(60)) { $0.first } }
        await withCheckedContinuation { continuation in
            loop.post { [self] in
                client?.close()
                (client, work) = (nil, nil)
                continuation.resume()
            }
        }
        guard let result else { throw SetupError("nothing came of it") }
        guard results.value.count == 1 else { throw SetupError("it was done more than once") }
        return result
    }
}

extension Result where Failure == RadioCore.Failure {
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
