// SPDX-License-Identifier: MIT

package import CurlClient
package import EventLoop
import Instants
import MediaSources
package import RadioCore
import RadioFormats

/// Fetches an address that is no audio, and reads it as a list of items: a podcast's feed, or a playlist. Confined to
/// the loop's thread.
package final class ListFetch {
    package struct Found: Sendable {
        package var items: [QueueItem]
        /// What the list calls itself.
        package var title: String?
        /// Whether items may lie in our own network: not where the list comes from outside.
        package var allowsPrivateAddresses: Bool
    }

    private let address: String
    private let settings: StationSettings
    private let done: (Result<Found, Failure>) -> Void
    private var transfer: (any HTTPTransfer)?
    private var timer: (any ReactorTimer)?
    private var head: ResponseHead?
    private var body: [UInt8] = []
    private let reactor: any Reactor

    private static let longest = 4 << 20
    private static let patience = Duration.seconds(30)

    /// Begins; `done` is called once, unless it is cancelled.
    package init(
        _ address: String, _ settings: StationSettings, client: any HTTPClient, reactor: any Reactor,
        done: @escaping (Result<Found, Failure>) -> Void
    ) {
        self.address = address
        self.settings = settings
        self.reactor = reactor
        self.done = done
        var request = TransferRequest(url: address, userAgent: settings.userAgent, wantsMetadata: false)
        request.headers = settings.headers.map { ($0.name, $0.value) }
        request.caFile = settings.caFile
        transfer = client.start(request, delegate: self)
        let timer = reactor.makeTimer { [weak self] in self?.tooLate() }
        timer.arm(at: reactor.now + Self.patience)
        self.timer = timer
    }

    package func cancel() {
        transfer?.cancel()
        transfer = nil
        timer?.cancel()
    }

    private func tooLate() {
        end(.failure(Failure(.timeout, "\(AddressText(address).redacted) does not arrive", remedy: "try again later")))
    }

    private func end(_ result: Result<Found, Failure>) {
        guard transfer != nil else { return }
        cancel()
        done(result)
    }

    private func read() throws(Failure) -> Found {
        let recognizer = StreamRecognizer(contentType: head?["content-type"], url: address)
        let guess = body.withUnsafeBytes { recognizer.guess($0, isComplete: true) }
        let base = head?.effectiveURL ?? address
        switch guess {
        case .xml, .unsupported, .html, .text, .unknown:
            // Some feeds begin with what looks like something else; only the parser knows.
            let isXML = if case .unsupported = guess { true } else { guess == .xml }
            guard let feed = try feed(base, isLikely: isXML) else { break }
            return found(feed.queueItems(from: address), feed.title)
        default: break
        }
        guard case .playlist(let kind) = guess else { throw Failure(guess, at: AddressText(address).redacted) }
        do throws(Playlist.Problem) {
            let list = try Playlist(body, kind: kind, base: base, for: .queue)
            return found(list.entries.map { QueueItem($0) }, nil)
        } catch {
            throw Failure(error, at: AddressText(address).redacted)
        }
    }

    /// Nil where it is none, and may be something else.
    private func feed(_ base: String, isLikely: Bool) throws(Failure) -> Feed? {
        let parser = FeedParser(address: base)
        body.withUnsafeBytes { parser.append($0) }
        let feed: Feed
        do throws(FeedError) {
            feed = try parser.finish()
        } catch {
            if case .notAFeed = error { return nil }
            guard isLikely else { return nil }
            throw error.failure
        }
        guard !feed.items.isEmpty else {
            throw Failure(.notAudio, "the feed has nothing that can be heard", remedy: "check the address")
        }
        return feed
    }

    private func found(_ items: [QueueItem], _ title: String?) -> Found {
        Found(items: items, title: title, allowsPrivateAddresses: head?.isPeerPrivate ?? false)
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
        body.append(contentsOf: bytes)
        guard body.count > Self.longest else { return }
        end(
            .failure(
                Failure(
                    .unsupported, "\(AddressText(address).redacted) is too long for a list", remedy: "check the address"
                )))
    }

    package func transfer(_ transfer: any HTTPTransfer, endedWith error: TransferError?) {
        if let error { return end(.failure(Failure(error))) }
        do throws(Failure) {
            end(.success(try read()))
        } catch {
            end(.failure(error))
        }
    }
}
