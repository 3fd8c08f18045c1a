// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import RadioFormats

/// What a station hears of one of its connections.
protocol UpstreamDelegate: AnyObject {
    func upstream(_ upstream: Upstream, entered phase: TransferPhase)
    /// The response may carry audio.
    func upstream(_ upstream: Upstream, accepted info: StationInfo)
    func upstreamReceivedFirstByte(_ upstream: Upstream)
    func upstream(_ upstream: Upstream, began format: StreamFormat)
    func upstream(_ upstream: Upstream, _ frame: Frame, _ bytes: UnsafeRawBufferPointer)
    /// The next frame is the first that this title belongs to.
    func upstream(_ upstream: Upstream, title: String, raw: [UInt8])
    /// The next frame does not follow the one before it.
    func upstreamResynced(_ upstream: Upstream)
    func upstream(_ upstream: Upstream, skipped bytes: Int, _ reason: SkipReason)
    /// One delivery is through: no more frames are at hand.
    func upstreamDelivered(_ upstream: Upstream)
    /// The response is a playlist with these addresses. The last call.
    func upstream(_ upstream: Upstream, isPlaylist entries: [String])
    /// The end; nil is a proper end of the body. The last call.
    func upstream(_ upstream: Upstream, endedWith failure: Failure?)
}

/// One connection to a station: the transfer, and the way of its bytes to frames. Confined to the loop's thread.
///
/// A station may have two of them (the hedge beside a stalled one), so this knows nothing of the ring, of positions
/// or of what was heard before.
final class Upstream {
    weak var delegate: (any UpstreamDelegate)?
    /// Bytes of the body so far, for a resumed file.
    private(set) var received: Int64 = 0
    /// Entity tag or date of a file, for `If-Range`.
    private(set) var validator: String?
    private(set) var info: StationInfo?
    /// Where the redirects ended, with everything that it takes to go there again.
    private(set) var effectiveURL: String?

    private let url: String
    private let settings: StationSettings
    private let client: CurlClient
    private let reactor: any Reactor
    private var transfer: Transfer?
    private var path: FramePath?
    /// The metadata block before this one: servers leave the end of it behind a shorter one.
    private var lastBlock: [UInt8]?
    /// The body of a playlist, gathered whole.
    private var playlist: (kind: PlaylistKind, body: [UInt8])?
    /// Bytes that a server sends again although it was asked to go on in the middle.
    private var skip: Int64 = 0
    private var isOver = false
    private var hadBody = false

    private static let fileBuffer = 512 * 1024

    init(
        url: String, settings: StationSettings, client: CurlClient, reactor: any Reactor,
        delegate: any UpstreamDelegate
    ) {
        self.url = url
        self.settings = settings
        self.client = client
        self.reactor = reactor
        self.delegate = delegate
    }
}

// MARK: - What the station does with it

extension Upstream {
    /// Opens the connection; for a file that broke off, again, from the byte that is next.
    func open() {
        isOver = false
        hadBody = false
        var request = TransferRequest(url: url, userAgent: settings.userAgent, receiveBuffer: Self.fileBuffer)
        request.headers = settings.headers.map { ($0.name, $0.value) }
        request.caFile = settings.caFile
        if received > 0 {
            request.resumeAt = received
            request.resumeValidator = validator
        }
        transfer = client.start(request, delegate: self)
    }

    /// Ends it without another word to the delegate.
    func close() {
        isOver = true
        transfer?.cancel()
        transfer = nil
    }

    func pause() { transfer?.pause() }
    func resume() { transfer?.resume() }

    /// Lets so many bytes of a live body gather before the next are delivered.
    func gather(_ bytes: Int) { transfer?.gather(bytes) }
}

// MARK: - TransferDelegate

extension Upstream: TransferDelegate {
    func transfer(_ transfer: Transfer, entered phase: TransferPhase) {
        delegate?.upstream(self, entered: phase)
    }

    func transfer(_ transfer: Transfer, received head: ResponseHead) {
        if let failure = ResponseClassifier.failure(head, on: redactedURL(url), wall: reactor.wallNow) {
            return end(failure)
        }
        effectiveURL = head.effectiveURL
        if received > 0 { return continueFile(head) }
        let info = StationInfo(head, url: url, settings: settings)
        self.info = info
        validator = head["etag"].flatMap { $0.hasPrefix("W/") ? nil : $0 } ?? head["last-modified"]
        let path = FramePath(
            interval: info.metadataInterval, contentType: head["content-type"], url: head.finalURL)
        path.output = self
        self.path = path
        delegate?.upstream(self, accepted: info)
    }

    /// The answer to a request for the rest of a file.
    private func continueFile(_ head: ResponseHead) {
        if let old = validator, let new = head["etag"] ?? head["last-modified"], old != new {
            return end(
                Failure(
                    .protocol, "the file at \(redactedURL(url)) has changed while it was being fetched",
                    remedy: "record it again from the start"))
        }
        skip = head.status == 206 ? 0 : received
        if let info { delegate?.upstream(self, accepted: info) }
    }

    func transfer(_ transfer: Transfer, received bytes: UnsafeRawBufferPointer) {
        if !hadBody {
            hadBody = true
            delegate?.upstreamReceivedFirstByte(self)
        }
        var bytes = bytes
        if skip > 0 {
            let skipped = Int(min(skip, Int64(bytes.count)))
            skip -= Int64(skipped)
            bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(skipped))
        }
        guard !isOver, bytes.count > 0 else { return }
        received += Int64(bytes.count)
        if playlist != nil {
            gatherPlaylist(bytes)
        } else {
            path?.push(bytes)
            if !isOver, playlist == nil { delegate?.upstreamDelivered(self) }
        }
    }

    func transfer(_ transfer: Transfer, endedWith error: TransferError?) {
        guard !isOver else { return }
        if playlist != nil, error == nil { return endPlaylist() }
        let resumable = error != nil && info?.kind == .finite
        if !resumable {
            path?.finish()
            if !isOver, playlist != nil { return endPlaylist() }
            if !isOver { delegate?.upstreamDelivered(self) }
        }
        end(error.map { Failure($0) })
    }

    private func end(_ failure: Failure?) {
        guard !isOver else { return }
        close()
        delegate?.upstream(self, endedWith: failure)
    }
}

// MARK: - FramePathOutput

extension Upstream: FramePathOutput {
    func path(_ path: FramePath, began format: StreamFormat) {
        delegate?.upstream(self, began: format)
    }

    func path(_ path: FramePath, _ frame: Frame, _ bytes: UnsafeRawBufferPointer) {
        delegate?.upstream(self, frame, bytes)
    }

    func path(_ path: FramePath, metadata block: ICYBlock) {
        let metadata = ICYMetadata(block.bytes, after: lastBlock)
        lastBlock = block.bytes
        guard let raw = metadata.title else { return }
        delegate?.upstream(self, title: CharsetDecoder(configured: settings.charset).title(raw), raw: raw)
    }

    func path(_ path: FramePath, title: String) {
        delegate?.upstream(self, title: title, raw: Array(title.utf8))
    }

    func pathResynced(_ path: FramePath) {
        delegate?.upstreamResynced(self)
    }

    func path(_ path: FramePath, skipped bytes: Int, _ reason: SkipReason) {
        delegate?.upstream(self, skipped: bytes, reason)
    }

    func path(_ path: FramePath, isNoAudio guess: ContentGuess, prefix: [UInt8]) {
        if case .playlist(let kind) = guess {
            playlist = (kind, prefix)
        } else {
            end(Failure(guess, at: redactedURL(url)))
        }
    }
}

// MARK: - Playlists

extension Upstream {
    private func gatherPlaylist(_ bytes: UnsafeRawBufferPointer) {
        playlist?.body.append(contentsOf: bytes)
        guard let playlist, playlist.body.count > Playlist.longestBody else { return }
        end(Failure(.tooLong, at: redactedURL(url)))
    }

    private func endPlaylist() {
        guard let playlist, !isOver else { return }
        do throws(Playlist.Problem) {
            let list = try Playlist(playlist.body, kind: playlist.kind, base: effectiveURL ?? url)
            close()
            delegate?.upstream(self, isPlaylist: list.entries.map(\.url))
        } catch {
            end(Failure(error, at: redactedURL(url)))
        }
    }
}
