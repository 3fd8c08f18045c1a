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
        package var ignoredOptions: [String] = []
    }

    private let address: String
    private var done: ((Result<Found, Failure>) -> Void)?
    private var transfer: (any HTTPTransfer)?
    private var timer: (any ReactorTimer)?
    private var head: ResponseHead?
    private var body: [UInt8] = []
    private let reactor: any Reactor

    static let longest = 4 << 20
    private static let patience = Duration.seconds(30)

    /// Starts the request. Calls `done` once, unless cancelled.
    package init(
        _ address: String, _ settings: StationSettings, client: any HTTPClient, reactor: any Reactor,
        done: @escaping (Result<Found, Failure>) -> Void
    ) {
        self.address = address
        self.reactor = reactor
        self.done = done
        var request = settings.request(for: address)
        request.decodesContent = true
        transfer = client.start(request, delegate: self)
        setTimer()
    }

    /// Reads a response that has already begun. May call `done` during this call.
    package init(
        _ address: String, of response: UnreadResponse, reactor: any Reactor,
        done: @escaping (Result<Found, Failure>) -> Void
    ) {
        self.address = address
        self.reactor = reactor
        self.done = done
        head = response.head
        transfer = response
        setTimer()
        response.tell(self)
    }

    private func setTimer() {
        let timer = reactor.makeTimer { [weak self] in self?.tooLate() }
        timer.arm(at: reactor.now + Self.patience)
        self.timer = timer
    }

    package func cancel() {
        done = nil
        transfer?.cancel()
        transfer = nil
        timer?.cancel()
    }

    private func tooLate() {
        end(.failure(Failure(.timeout, "\(AddressText(address).redacted) timed out", remedy: "try again later")))
    }

    private func end(_ result: Result<Found, Failure>) {
        guard let done = done.take() else { return }
        cancel()
        done(result)
    }

    /// Parses the complete body on a separate thread, so that the loop is not held up.
    private func read() {
        let reading = reading
        body = []
        let bound = reactor.bind(self)
        do throws(Failure) {
            try MediaThread.start("list", which: "reads lists") {
                let result = Result { () throws(Failure) in try reading.read() }
                bound.tell { $0.hasRead(result) }
            }
        } catch {
            end(.failure(error))
        }
    }

    private var reading: ListReading {
        ListReading(
            body: body, contentType: head?["content-type"], address: address, base: head?.effectiveURL ?? address)
    }

    private func hasRead(_ result: Result<ListReading.Contents, Failure>) {
        let isPrivate = head?.isPeerPrivate ?? false
        end(
            result.map {
                Found(
                    items: $0.items, title: $0.title, allowsPrivateAddresses: isPrivate, leftOut: $0.leftOut,
                    warning: $0.warning, ignoredOptions: EntryOptions.ignored(in: $0.items.map(\.options)))
            })
    }
}

extension ListFetch: TransferDelegate {
    package func transfer(_ transfer: any HTTPTransfer, entered phase: TransferPhase) {}

    package func transfer(_ transfer: any HTTPTransfer, received head: ResponseHead) {
        if let failure = ResponseClassifier.failure(head, on: AddressText(address).redacted, wall: reactor.wallNow) {
            return end(.failure(failure))
        }
        self.head = head
    }

    package func transfer(_ transfer: any HTTPTransfer, received bytes: UnsafeRawBufferPointer) {
        let wasRecognizable = body.count >= StreamRecognizer.limit
        body.append(contentsOf: bytes)
        if !wasRecognizable, body.count >= StreamRecognizer.limit, let failure = reading.otherThanList {
            return end(.failure(failure))
        }
        guard body.count > Self.longest else { return }
        end(
            .failure(
                Failure(
                    .unsupported, "\(AddressText(address).redacted) is too long for a list", remedy: "check the address"
                )))
    }

    package func transfer(_ transfer: any HTTPTransfer, endedWith error: TransferError?) {
        if let error { return end(.failure(Failure(error))) }
        // After a timeout the result has already been reported.
        if done != nil { read() }
    }
}
