// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import RadioFormats

/// One load of a station's list of segments: from where it was before, or from the configured address, through a list
/// of variants if there is one.
final class HLSLoad {
    enum Outcome {
        case list(MediaPlaylist, HLSPlace, ResponseHead)
        case unchanged
        /// The address has audio, or a list of addresses, which a live stream can read.
        case other(Failure, ResponseHead)
        case failed(Failure)
    }

    let began: MonotonicInstant
    private let context: HLSContext
    private let known: HLSPlace?
    /// The variant that was chosen before, and is not to be changed.
    private let chosen: VariantChoice?
    /// Which of several equal variants to take: another one each time if the first does not work.
    private let turn: Int
    private var place: HLSPlace
    private var depth = 0
    private var fetch: Fetch?
    private let done: (Outcome) -> Void

    static let longest = ListFetch.longest
    private static let patience = Duration.seconds(15)
    /// A list of variants that leads to a list of variants leads nowhere.
    private static let deepest = 2

    /// Prepares to load the list at `known`, or else what the configured address `url` leads to: if to variants, only
    /// to `chosen`, if given. Calls `done` once, unless cancelled.
    init(
        _ url: String, known: HLSPlace?, chosen: VariantChoice? = nil, turn: Int = 0, _ context: HLSContext,
        done: @escaping (Outcome) -> Void
    ) {
        (self.context, self.known, self.chosen, self.turn, self.done) = (context, known, chosen, turn, done)
        began = context.run.reactor.now
        place = known ?? HLSPlace(url: url, allowsPrivateAddress: context.run.settings.allowsPrivateAddress)
    }

    func cancel() { fetch?.cancel() }

    /// Sends the request. Does not call `done` inside this call.
    func start() { request() }

    /// Takes a list that has come already. May call `done` inside this call.
    func take(_ body: [UInt8], _ head: ResponseHead) {
        place.url = head.effectiveURL
        read(body, head)
    }

    private func request() {
        var request = context.request(for: place.url, allowsPrivateAddress: place.allowsPrivateAddress)
        request.asksForCompression = true
        (request.ifNoneMatch, request.ifModifiedSince) = (place.head?["etag"], place.head?["last-modified"])
        let now = context.run.reactor.now
        fetch = Fetch(
            request, limit: Self.longest, deadline: now + Self.patience, client: context.run.client,
            reactor: context.run.reactor, isEnough: Self.isOther,
            done: { [weak self] in self?.fetched($0, sent: request.cookies) })
    }

    /// Whether the part of a response that has arrived shows that it is not a list.
    private static func isOther(_ response: Fetch.Response) -> Bool {
        RelayedPast.isSent(with: response.head)
            || response.body.count >= StreamRecognizer.limit && guess(response, isComplete: false) != .hls
    }

    private static func guess(_ response: Fetch.Response, isComplete: Bool) -> ContentGuess {
        let recognizer = StreamRecognizer(
            contentType: response.head["content-type"], url: response.head.finalURL)
        return response.body.withUnsafeBytes { recognizer.guess($0, isComplete: isComplete) }
    }

    private func fetched(_ result: Result<Fetch.Response, Fetch.Problem>, sent: [String]) {
        switch result {
        case .success(let response):
            context.run.addresses.memory.keepCookies(of: response.head, sent: sent)
            if response.head.status == 304, known != nil { return done(.unchanged) }
            let name = AddressText(place.url).redacted
            if let failure = ResponseClassifier.failure(
                response.head, on: name, through: context.run.settings.proxy, wall: context.run.reactor.wallNow)
            {
                return done(.failed(failure))
            }
            let guess = Self.guess(response, isComplete: true)
            let other = Failure(guess, at: response.head.finalURL)
            switch guess {
            case .hls: read(response.body, response.head)
            case .audio, .wrapped, .playlist: done(.other(other, response.head))
            case _ where RelayedPast.isSent(with: response.head): done(.other(other, response.head))
            default: done(.failed(other))
            }
        case .failure(let problem): done(.failed(Failure(problem, at: place.url)))
        }
    }

    private func read(_ body: [UInt8], _ head: ResponseHead) {
        let name = head.finalURL
        place.allowsPrivateAddress = place.allowsPrivateAddress && head.isPeerPrivate
        do throws(HLSProblem) {
            switch try HLSPlaylist(body, base: head.effectiveURL, imports: place.imports) {
            case .media(let list):
                (place.url, place.head) = (head.effectiveURL, head)
                done(.list(list, place, head))
            case .master(let master):
                depth += 1
                guard depth < Self.deepest else { return done(.failed(.playlistsWithoutEnd(at: name))) }
                guard let choice = chosen.map(master.find) ?? master.choose(context.run.settings.variant) else {
                    return done(.failed(.withoutVariant(at: name)))
                }
                let urls = [choice.url] + choice.alternatives
                place.url = urls[turn % urls.count]
                (place.imports, place.choice) = (master.variables, choice)
                place.variants = master.variants
                request()
            }
        } catch {
            done(.failed(Failure(error, at: name)))
        }
    }
}
