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
        /// The segment as listed when it was requested.
        var segment: ListedSegment
        var bytes: [UInt8]
        /// The init section that must be read before the segment.
        var section: [UInt8]?
        /// Whether nothing but the end of its connection showed that the segment is whole.
        var mayBeCut: Bool
    }

    private let segment: ListedSegment
    private let context: HLSContext
    private let place: HLSPlace
    private let store: HLSStore
    private let deadline: MonotonicInstant
    private var fetch: Fetch?
    private var section: [UInt8]?
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
        guard has(segment.key) else { return }
        if let map = segment.map, section == nil {
            if let known = store.maps[map] {
                section = known
                return proceed()
            }
            // A section that is encrypted in another way may be the clear one.
            if case .aes128? = map.key, !has(map.key) { return }
            return get(map.url, map.range, limit: Self.longest) { [self] bytes in
                decrypt(bytes, map.key) { [self] in
                    section = $0
                    store.maps[map] = $0
                    proceed()
                }
            }
        }
        get(segment.url, segment.range, limit: Self.longest) { [self] bytes in
            decrypt(bytes, segment.key) { take($0) }
        }
    }

    /// Whether a key is at hand. If not, it is asked for, or the segment is refused.
    private func has(_ key: SegmentKey?) -> Bool {
        switch key {
        case nil: return true
        case .aes128(let url, _) where store.keys[url] != nil: return true
        case .aes128(let url, _):
            get(url, nil, limit: Self.longestKey) { [self] in
                store.keys[url] = $0
                proceed()
            }
        case .encrypted(let scheme):
            let failure = Failure(unreadable: .encrypted(scheme), at: AddressText(segment.url).redacted)
            context.run.reactor.defer { [self] in end(.failure(failure)) }
        }
        return false
    }

    /// Servers send pages of errors, or nothing, as segments.
    private func take(_ bytes: [UInt8]) {
        let guess = bytes.withUnsafeBytes { StreamRecognizer(contentType: nil, url: nil).guess($0, isComplete: true) }
        switch guess {
        case .html, .json, .xml, .text, .playlist, .hls: break
        default:
            guard bytes.isEmpty else {
                return end(.success(Content(segment: segment, bytes: bytes, section: section, mayBeCut: mayBeCut)))
            }
        }
        let name = AddressText(segment.url).redacted
        let what = "the segment \(name) has \(bytes.isEmpty ? "nothing" : "text"), not audio"
        end(.failure(Failure(.dropped, what, remedy: "nothing to do: Aircheck asks for it again")))
    }

    private func get(_ url: String, _ range: ByteRange?, limit: Int, then use: @escaping ([UInt8]) -> Void) {
        let resource = SegmentResource(url: url, range: range)
        let cut = store.cuts[resource]
        var request = context.request(for: url, allowsPrivateAddress: place.allowsPrivateAddress)
        resource.ask(in: &request, after: cut)
        fetch = Fetch(
            request, limit: limit - (cut?.bytes.count ?? 0), deadline: deadline, client: context.run.client,
            reactor: context.run.reactor,
            isEnough: { !(200..<300).contains($0.head.status) }
        ) { [weak self] result in
            guard let self else { return }
            let response = fetch?.response
            let bytes = response.flatMap { resource.bytes(of: $0, after: cut) }
            if cut != nil, bytes == nil, let response, resource.answer(response.head, after: cut) != .failed {
                // The server does not continue the segment from there.
                store.cuts[resource] = nil
                return get(url, range, limit: limit, then: use)
            }
            switch result {
            case .failure(let problem):
                if let bytes, let response {
                    store.cuts[resource] = problem == .tooLong ? nil : resource.cut(bytes, response.head)
                }
                end(.failure(Failure(problem, at: url)))
            case .success(let response): take(bytes, response.head, of: resource, after: cut, then: use)
            }
        }
    }

    private func take(
        _ bytes: [UInt8]?, _ head: ResponseHead, of resource: SegmentResource, after cut: SegmentResource.Cut?,
        then use: ([UInt8]) -> Void
    ) {
        let name = AddressText(resource.url).redacted
        let failure = ResponseClassifier.failure(
            head, on: name, through: context.run.settings.proxy, wall: context.run.reactor.wallNow)
        if let failure { return end(.failure(failure)) }
        guard let bytes, Int64(bytes.count) >= resource.length(head, after: cut) ?? 0 else {
            store.cuts[resource] = bytes.flatMap { resource.cut($0, head) }
            return end(
                .failure(
                    Failure(.dropped, "\(name) is shorter than its list says", remedy: "Aircheck tries again")))
        }
        store.cuts[resource] = nil
        mayBeCut = head["content-length"] == nil && head["transfer-encoding"] == nil
        use(bytes)
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

extension Duration {
    /// How long the fetch of a segment may take: four times the segment's length, from 15 s to two minutes.
    static func patience(forSegmentOf length: Duration) -> Duration {
        min(max(.seconds(15), length * 4), .seconds(120))
    }
}

/// What the requests of a station share: keys, init sections, and the parts of segments whose connections broke off.
/// Kept in memory only.
final class HLSStore {
    var keys: [String: [UInt8]] = [:] { didSet { if keys.count > Self.most { keys = [:] } } }
    var maps: [SegmentMap: [UInt8]] = [:] { didSet { if maps.count > Self.most { maps = [:] } } }
    var cuts: [SegmentResource: SegmentResource.Cut] = [:] {
        didSet {
            let size = cuts.values.reduce(0) { $0 + $1.bytes.count }
            if cuts.count > Self.most || size > Self.mostCut { cuts = [:] }
        }
    }

    private static let (most, mostCut) = (16, 16 << 20)

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
