// SPDX-License-Identifier: MIT

import CurlClient
import Decryption
import EventLoop
import Instants
import RadioCore
import RadioFormats

/// One attempt to fetch a segment, with its key and the section before it, unless they are known.
final class HLSSegmentFetch {
    struct Content {
        var bytes: [UInt8]
        /// Whether nothing but the end of its connection showed that the segment is whole.
        var mayBeCut: Bool
    }

    private let segment: ListedSegment
    private let context: HLSContext
    private let place: HLSPlace
    private let store: HLSStore
    private let deadline: MonotonicInstant
    private var fetch: Fetch?
    private var mayBeCut = false
    private var done: ((Result<Content, Failure>) -> Void)?
    /// Whether it has ended, or was cancelled.
    var isOver: Bool { done == nil }

    private static let longest = 16 << 20
    private static let longestKey = 64

    /// Calls `done` once, unless cancelled, and never inside this call.
    init(
        _ segment: ListedSegment, from place: HLSPlace, _ context: HLSContext, _ store: HLSStore,
        patience: Duration, done: @escaping (Result<Content, Failure>) -> Void
    ) {
        (self.segment, self.place, self.context, self.store, self.done) = (segment, place, context, store, done)
        deadline = context.run.reactor.now + patience
        proceed()
    }

    func cancel() {
        done = nil
        fetch?.cancel()
    }

    private func end(_ result: Result<Content, Failure>) {
        guard let done = done.take() else { return }
        done(result)
    }

    /// Asks for the next thing that is missing.
    private func proceed() {
        if case .encrypted(let scheme)? = segment.key {
            let failure = Failure(unreadable: .encrypted(scheme), at: AddressText(segment.url).redacted)
            return context.run.reactor.defer { [self] in end(.failure(failure)) }
        }
        if case .aes128(let url, _)? = segment.key, store.keys[url] == nil {
            return get(url, nil, limit: Self.longestKey) { [self] in
                store.keys[url] = $0
                proceed()
            }
        }
        if let map = segment.map, store.maps[map] == nil {
            return get(map.url, map.range, limit: Self.longest) { [self] bytes in
                decrypt(bytes, map.key) { [self] in
                    store.maps[map] = $0
                    proceed()
                }
            }
        }
        get(segment.url, segment.range, limit: Self.longest) { [self] bytes in
            decrypt(bytes, segment.key) { end(.success(Content(bytes: $0, mayBeCut: mayBeCut))) }
        }
    }

    private func get(_ url: String, _ range: ByteRange?, limit: Int, then use: @escaping ([UInt8]) -> Void) {
        var request = context.request(for: url, allowsPrivateAddress: place.allowsPrivateAddress)
        (request.resumeAt, request.lastByte) = (range?.offset, range.map { $0.end - 1 })
        fetch = Fetch(
            request, limit: limit, deadline: deadline, client: context.run.client, reactor: context.run.reactor,
            isEnough: { !(200..<300).contains($0.head.status) }
        ) { [weak self] result in
            switch result {
            case .failure(let problem): self?.end(.failure(Failure(problem, at: url)))
            case .success(let response): self?.take(response, from: url, range, then: use)
            }
        }
    }

    private func take(
        _ response: Fetch.Response, from url: String, _ range: ByteRange?, then use: ([UInt8]) -> Void
    ) {
        let name = AddressText(url).redacted
        let failure = ResponseClassifier.failure(
            response.head, on: name, through: context.run.settings.proxy, wall: context.run.reactor.wallNow)
        if let failure { return end(.failure(failure)) }
        mayBeCut = response.head["content-length"] == nil && response.head["transfer-encoding"] == nil
        guard let range, response.head.status != 206 else { return use(response.body) }
        // The server has sent all of the resource.
        guard response.body.count >= range.end else {
            return end(
                .failure(
                    Failure(.dropped, "\(name) is shorter than its list says", remedy: "Aircheck tries again")))
        }
        use(Array(response.body[Int(range.offset)..<Int(range.end)]))
    }

    private func decrypt(_ bytes: [UInt8], _ key: SegmentKey?, then use: ([UInt8]) -> Void) {
        let name = AddressText(segment.url).redacted
        switch key {
        case nil, .encrypted: use(bytes)
        case .aes128(let url, let vector):
            let vector = vector ?? SegmentKey.vector(of: segment.number)
            do throws(Failure) {
                use(try store.decrypt(bytes, key: store.keys[url] ?? [], vector: vector, name))
            } catch {
                // The key may have been replaced.
                store.keys[url] = nil
                end(.failure(error))
            }
        }
    }
}

/// What segments of a station share: their keys, and the sections before them. Kept in memory only.
final class HLSStore {
    var keys: [String: [UInt8]] = [:] { didSet { if keys.count > Self.most { keys = [:] } } }
    var maps: [SegmentMap: [UInt8]] = [:] { didSet { if maps.count > Self.most { maps = [:] } } }

    private static let most = 16

    func decrypt(_ bytes: [UInt8], key: [UInt8], vector: [UInt8], _ name: String) throws(Failure) -> [UInt8] {
        do throws(AES128.Problem) {
            return try AES128.decrypt(bytes, key: key, vector: vector)
        } catch {
            switch error {
            case .noLibrary(let why):
                throw Failure(
                    .unsupported, "\(name) is encrypted, and \(why)", remedy: "install libcrypto (package libssl3)")
            case .wrongKeyLength, .wrongLength, .wrongPadding, .failed:
                throw Failure(
                    .protocol, "\(name) cannot be decrypted with its key", remedy: "nothing to do: Aircheck tries again"
                )
            }
        }
    }
}
