// SPDX-License-Identifier: MIT

package import CurlClient
package import EventLoop
import Instants
import MediaSources
package import RadioCore
import RadioFormats

/// Fetches an address that is not audio, and parses it as a list of items: a podcast feed or a playlist.
package final class ListFetch {
    package struct Found: Sendable {
        package var items: [QueueItem]
        /// The list's own title.
        package var title: String?
        /// Whether items may lie in a private network: true only if the list itself lies in one.
        package var allowsPrivateAddresses: Bool
        /// How many further items were left out, because the list exceeds the limit.
        package var leftOut = 0
        /// Why items may be missing; nil if none are.
        package var warning: String?

        /// The names of the options of items that are not applied.
        package var ignoredOptions: [String] { EntryOptions.ignored(in: items.map(\.options)) }
    }

    private let address: String
    private let reactor: any Reactor
    private var fetch: Fetch?
    /// Whether enough of the body has been received to tell whether it is a list.
    private var wasRecognizable = false
    private var done: ((Result<Found, Failure>) -> Void)?

    static let longest = 4 << 20
    private static let patience = Duration.seconds(30)

    /// Starts the request. Calls `done` once, unless cancelled.
    package init(
        _ address: String, _ settings: StationSettings, client: any HTTPClient, reactor: any Reactor,
        done: @escaping (Result<Found, Failure>) -> Void
    ) {
        (self.address, self.reactor, self.done) = (address, reactor, done)
        var request = settings.request(for: address)
        request.decodesContent = true
        fetch = Fetch(
            request, limit: Self.longest, deadline: reactor.now + Self.patience, client: client, reactor: reactor,
            isEnough: { [weak self] in self?.isRefused($0) ?? true }, done: { [weak self] in self?.fetched($0) })
    }

    /// Reads a response that has already begun. May call `done` during this call.
    package init(
        _ address: String, of response: UnreadResponse, reactor: any Reactor,
        done: @escaping (Result<Found, Failure>) -> Void
    ) {
        (self.address, self.reactor, self.done) = (address, reactor, done)
        let fetch = Fetch(
            of: response, response.head, limit: Self.longest, deadline: reactor.now + Self.patience, reactor: reactor,
            isEnough: { [weak self] in self?.isRefused($0) ?? true }, done: { [weak self] in self?.fetched($0) })
        self.fetch = fetch
        response.tell(fetch)
    }

    package func cancel() {
        done = nil
        fetch?.cancel()
    }

    private func end(_ result: Result<Found, Failure>) {
        guard let done = done.take() else { return }
        cancel()
        done(result)
    }

    /// Whether the response cannot become a list; if so, ends with the reason.
    private func isRefused(_ response: Fetch.Response) -> Bool {
        guard let failure = refusal(response) else { return false }
        end(.failure(failure))
        return true
    }

    private func refusal(_ response: Fetch.Response) -> Failure? {
        guard !response.body.isEmpty else {
            return ResponseClassifier.failure(
                response.head, on: AddressText(address).redacted, wall: reactor.wallNow)
        }
        guard !wasRecognizable, response.body.count >= StreamRecognizer.limit else { return nil }
        wasRecognizable = true
        return reading(response).otherThanList
    }

    private func fetched(_ result: Result<Fetch.Response, Fetch.Problem>) {
        switch result {
        case .success(let response): read(response)
        case .failure(.failed(let error)): end(.failure(Failure(error)))
        case .failure(.timeout):
            end(.failure(Failure(.timeout, "\(AddressText(address).redacted) timed out", remedy: "try again later")))
        case .failure(.tooLong):
            end(
                .failure(
                    Failure(
                        .unsupported, "\(AddressText(address).redacted) is too long for a list",
                        remedy: "check the address")))
        }
    }

    /// Parses the complete body on a separate thread, so that the loop is not held up.
    private func read(_ response: Fetch.Response) {
        let reading = reading(response)
        let isPrivate = response.head.isPeerPrivate
        let bound = reactor.bind(self)
        do throws(Failure) {
            try MediaThread.start("list", which: "reads lists") {
                let result = Result { () throws(Failure) in try reading.read(isPrivate: isPrivate) }
                bound.tell { $0.end(result) }
            }
        } catch {
            end(.failure(error))
        }
    }

    private func reading(_ response: Fetch.Response) -> ListReading {
        ListReading(
            body: response.body, contentType: response.head["content-type"], address: address,
            base: response.head.effectiveURL)
    }
}
