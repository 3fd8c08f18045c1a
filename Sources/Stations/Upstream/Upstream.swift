// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import RadioFormats

/// One connection to a station: the transfer, and the way of its bytes to frames. Confined to the loop's thread.
///
/// A station may have two of them (the hedge beside one that stalls or hangs), so this knows nothing of the ring, of
/// positions or of what was heard before. A file that breaks off is opened again by the same `Upstream`, and goes on
/// where it was.
final class Upstream {
    /// What to connect to.
    struct Target {
        var url: String
        /// See ``TransferRequest/allowsPrivateAddress``.
        var allowsPrivateAddress = true
        /// Whether the server gets the user's header fields, which may hold secrets: only servers that the user has
        /// named do. A redirect to another server does not take them along.
        var sendsHeaders = true
        /// See ``TitleTrust``.
        var wantsMetadata = true
        /// Whether metadata is looked for where the head says, be it asked for or not.
        var believesHead = true
    }

    weak var delegate: (any UpstreamDelegate)?
    /// What a relay says of itself and of those below it just then; no secret. Called for each request.
    var relayFields: () -> [StationSettings.Header] = { [] }
    /// Set while the path gives out frames: asking the delegate for each one would cost as much as framing it.
    private var frameTaker: (any FrameTaker)?
    private(set) var info: StationInfo?
    /// Whether opening it again goes on where it broke off.
    var isResumable: Bool { info?.kind == .finite && path?.isRecognized == true }
    /// Whether exactly the body that the head announced has come, and it said nothing that only radio servers say.
    var isWhole: Bool {
        head.map { !ResponseClassifier.hasICY($0) && ResponseClassifier.length($0) == received } ?? false
    }
    /// Whether only the body's end can tell that it is whole: the head announced no length, and said nothing that only
    /// radio servers say.
    var mayEndAnywhere: Bool {
        head.map { !ResponseClassifier.hasICY($0) && $0["content-length"] == nil } ?? false
    }
    /// The URL of the audio where that is not the address itself: whole, with secrets, so that it can be opened again.
    private(set) var movedTo: String?
    /// Whether a redirect's URL names a user, who may be allowed only one connection.
    var hasCredentials: Bool { movedTo.map { URLReference($0).hasUser } ?? false }
    /// Whether the server is in our own network.
    private(set) var isPeerPrivate = false
    /// How old its first frame was when the head came, where a relay says so.
    private(set) var age: Duration?

    private var target: Target
    /// Bytes of the body so far.
    private var received: Int64 = 0
    /// What has come of a file, so that it can be resumed.
    private var file = FileBody()
    private var settings: StationSettings
    private let client: any HTTPClient
    private let reactor: any Reactor
    private var transfer: (any HTTPTransfer)?
    private var path: FramePath?
    /// The head that it began with.
    private var head: ResponseHead?
    /// Looks for metadata where there should be none.
    private var spotter: MetadataSpotter?
    /// The body of a playlist, gathered whole.
    private var playlist: (kind: PlaylistKind, body: [UInt8])?
    private var isOver = false
    private var isPaused = false
    private var hadBody = false
    /// The address that answered with a page, where the stream's own path was tried because of that.
    private var pageName: String?
    private var refusesCompression = false

    /// A file at full speed wants a large buffer; a live stream never fills it, but its pages are touched by and by.
    private static let receiveBuffer = 64 * 1024

    init(
        _ target: Target, settings: StationSettings, client: any HTTPClient, reactor: any Reactor,
        delegate: any UpstreamDelegate
    ) {
        self.target = target
        self.settings = settings
        self.client = client
        self.reactor = reactor
        self.delegate = delegate
    }

    /// The address, for people.
    var name: String { redactedURL(target.url) }
}

// MARK: - What the station does with it

extension Upstream {
    /// Opens the connection. For a file that broke off, opens it again to go on where it was.
    func open() {
        isOver = false
        hadBody = false
        file.reopen()
        if !isResumable { (received, file) = (0, FileBody()) }
        var request = TransferRequest(
            url: target.url, userAgent: settings.userAgent, wantsMetadata: target.wantsMetadata,
            receiveBuffer: Self.receiveBuffer)
        if target.sendsHeaders { request.headers = settings.headers.map { ($0.name, $0.value) } }
        request.openHeaders = [(FillerField.name, FillerField.none)] + relayFields().map { ($0.name, $0.value) }
        request.refusesCompression = refusesCompression
        request.caFile = settings.caFile
        request.allowsPrivateAddress = target.allowsPrivateAddress
        if file.resumePlace > 0 {
            request.resumeAt = file.resumePlace
            // A weak tag does not vouch for bytes.
            request.resumeValidator = head?["etag"].flatMap { $0.hasPrefix("W/") ? nil : $0 } ?? head?["last-modified"]
        }
        let transfer = client.start(request, delegate: self)
        if isPaused { transfer.pause() }
        self.transfer = transfer
    }

    /// Puts out the last frame, if it is whole, although no header behind it confirms it.
    func flush() {
        giveFrames { $0.finish() }
    }

    /// Closes the connection without another call to the delegate.
    func close() {
        isOver = true
        transfer?.cancel()
        transfer = nil
    }

    func pause() {
        isPaused = true
        transfer?.pause()
    }

    func resume() {
        isPaused = false
        transfer?.resume()
    }
}

// MARK: - Gatherer.Source

extension Upstream: Gatherer.Source {
    var holdsFrame: Bool { path?.holdsFrame ?? false }

    func releaseHeld() {
        giveFrames { $0.releaseHeld() }
        if !isOver { delegate?.upstreamDelivered(self) }
    }

    func gather(_ bytes: Int) { transfer?.gather(bytes) }
}

// MARK: - TransferDelegate

extension Upstream: TransferDelegate {
    func transfer(_ transfer: any HTTPTransfer, entered phase: TransferPhase) {
        delegate?.upstream(self, entered: phase)
    }

    func transfer(_ transfer: any HTTPTransfer, received head: ResponseHead) {
        if !file.isEmpty, let old = self.head, [200, 206, 416].contains(head.status) {
            return goOn(FileResume(head, after: old, asked: file.resumePlace, received: received), head)
        }
        if let failure = ResponseClassifier.failure(head, on: name, wall: reactor.wallNow) {
            // The stream's path was our own guess: where it is missing, the failure is the page.
            let isMissing = failure.failureClass == .notFound
            return end(.failed(pageName.flatMap { isMissing ? Failure(.html, at: $0) : nil } ?? failure))
        }
        begin(head)
    }

    /// The body behind this head is the first one, or does not go on from those before it.
    private func begin(_ head: ResponseHead) {
        self.head = head
        movedTo = head.redirects > 0 || pageName != nil ? head.effectiveURL : nil
        isPeerPrivate = head.isPeerPrivate
        age = head[AgeField.name.lowercased()].flatMap(AgeField.age)
        var info = StationInfo(head, url: target.url, settings: settings)
        if !target.believesHead { info.metadataInterval = nil }
        self.info = info
        spotter = info.kind == .live && target.wantsMetadata && info.metadataInterval == nil ? MetadataSpotter() : nil
        let path = FramePath(
            interval: info.metadataInterval, contentType: head["content-type"], url: head.finalURL)
        path.output = self
        self.path = path
        delegate?.upstream(self, accepted: info)
    }

    /// The answer to a request for the rest of a file.
    private func goOn(_ resume: FileResume, _ head: ResponseHead) {
        switch resume {
        case .compare(let place):
            if !file.compare(from: place, head) { endAsNoFile() }
        case .complete:
            delegate?.upstreamBodyIsOver(self)
            end(.complete)
        case .otherwise:
            endAsNoFile()
        }
    }

    /// The bytes that are new; nil while all of them came before.
    private func news(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let wasComparing = file.isComparing
        switch file.look(at: bytes) {
        case .again(let isProgress):
            if isProgress { delegate?.upstreamGoesOver(self) }
            return nil
        case .differs:
            endAsNoFile()
            return nil
        case .differsFromStart(let head, let body):
            goOnAsStation(head, body)
            return isOver ? nil : bytes
        case .news(let count):
            if wasComparing, let info { delegate?.upstream(self, accepted: info) }
            return UnsafeRawBufferPointer(rebasing: bytes.dropFirst(count))
        }
    }

    /// Ends the connection, for it does not bring the rest of the file. What came of the file stays, with its last
    /// frame if that is whole.
    private func endAsNoFile() {
        giveFrames { $0.finish() }
        info?.kind = .live
        end(.noFile(.noFile(at: name)))
    }

    /// The response is a station's and not the rest of the file. It is taken from its first byte on, so that nothing is
    /// lost.
    private func goOnAsStation(_ head: ResponseHead, _ body: [UInt8]) {
        giveFrames { $0.finish() }
        guard !isOver else { return }
        (received, file) = (0, FileBody())
        settings.allowsFinite = false
        info?.kind = .live
        delegate?.upstream(self, turnsOutLive: .noFile(at: name))
        if !isOver { begin(head) }
        if !isOver, !body.isEmpty { body.withUnsafeBytes { take($0) } }
    }

    func transfer(_ transfer: any HTTPTransfer, received bytes: UnsafeRawBufferPointer) {
        if !hadBody {
            hadBody = true
            delegate?.upstreamReceivedFirstByte(self)
        }
        guard !isOver, let bytes = news(in: bytes), !isOver, bytes.count > 0 else { return }
        take(bytes)
    }

    /// Has the path do what may bring frames.
    private func giveFrames(_ work: (FramePath) -> Void) {
        guard let path else { return }
        let before = frameTaker
        frameTaker = delegate?.frameTaker(for: self)
        work(path)
        frameTaker = before
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        received += Int64(bytes.count)
        if info?.kind == .finite { file.append(bytes) }
        if spotter?.spots(in: bytes) == true { return end(.misread(.titlesMisread(at: name))) }
        if playlist != nil {
            gatherPlaylist(bytes)
        } else {
            giveFrames { $0.push(bytes) }
            if !isOver, playlist == nil { delegate?.upstreamDelivered(self) }
        }
    }

    func transfer(_ transfer: any HTTPTransfer, endedWith error: TransferError?) {
        guard !isOver else { return }
        if error?.code == .compressed, !refusesCompression {
            refusesCompression = true
            return open()
        }
        if let error {
            // A file is resumed where it broke off. Of any other audio the last frame may be whole.
            if !isResumable, path?.isRecognized == true { delegate?.upstreamBodyIsOver(self) }
            return end(.failed(Failure(error)))
        }
        // The response ends before the end of what has come already.
        if file.isComparing { return endAsNoFile() }
        if playlist == nil { delegate?.upstreamBodyIsOver(self) }
        // The last bytes may have ended this connection or opened another one.
        guard !isOver, transfer === self.transfer else { return }
        if playlist != nil { return endPlaylist() }
        end(.complete)
    }

    private func end(_ end: UpstreamEnd) {
        guard !isOver else { return }
        close()
        delegate?.upstream(self, endedWith: end)
    }
}

// MARK: - FramePathOutput

extension Upstream: FramePathOutput {
    func path(_ path: FramePath, began format: StreamFormat) {
        guard !isOver else { return }
        delegate?.upstream(self, began: format)
    }

    func path(_ path: FramePath, _ frame: Frame, _ bytes: UnsafeRawBufferPointer) {
        guard !isOver else { return }
        frameTaker?.take(frame, bytes)
    }

    func path(_ path: FramePath, metadata verdict: MetadataWatch.Verdict) {
        guard !isOver else { return }
        switch verdict {
        case .doubtful: delegate?.upstreamBecameDoubtful(self)
        case .sound: delegate?.upstreamIsSoundAgain(self)
        case .slipped: end(.slipped(.titlesSlipped(at: name)))
        case .misread: end(.misread(.titlesMisread(at: name)))
        }
    }

    func path(_ path: FramePath, rawTitle raw: [UInt8]) {
        guard !isOver else { return }
        delegate?.upstream(self, title: CharsetDecoder(configured: settings.charset).title(raw), raw: raw)
    }

    func path(_ path: FramePath, title: String) {
        guard !isOver else { return }
        // A tag or a comment header in the audio may be far longer than any title.
        let title = title.cut(toBytes: TitleText.longest)
        delegate?.upstream(self, title: TitleText.cleaned(title), raw: Array(title.utf8))
    }

    func pathResynced(_ path: FramePath) {
        guard !isOver else { return }
        delegate?.upstreamResynced(self)
    }

    func path(_ path: FramePath, missing samples: Int64?) {
        guard !isOver else { return }
        delegate?.upstream(self, missing: samples)
    }

    func pathMetWrongChecksum(_ path: FramePath) {
        guard !isOver else { return }
        delegate?.upstreamMetWrongChecksum(self)
    }

    func path(_ path: FramePath, skipped bytes: Int, _ reason: SkipReason) {
        guard !isOver else { return }
        spotter?.lookAgain()
        delegate?.upstream(self, skipped: bytes, reason)
    }

    func path(_ path: FramePath, isNoAudio guess: ContentGuess, prefix: [UInt8]) {
        if case .playlist(let kind) = guess {
            playlist = (kind, prefix)
        } else if guess == .html, pageName == nil, let streamURL = URLReference(target.url).streamBehindPage {
            close()
            pageName = name
            target.url = streamURL
            open()
        } else if guess == .unknown, prefix.isEmpty {
            // An empty body is no failure.
            end(.complete)
        } else {
            end(.failed(Failure(guess, at: name)))
        }
    }
}

// MARK: - Playlists

extension Upstream {
    private func gatherPlaylist(_ bytes: UnsafeRawBufferPointer) {
        playlist?.body.append(contentsOf: bytes)
        guard let playlist, playlist.body.count > Playlist.longestBody else { return }
        end(.failed(Failure(Playlist.Problem.tooLong, at: name)))
    }

    private func endPlaylist() {
        guard let playlist, !isOver else { return }
        do throws(Playlist.Problem) {
            let list = try Playlist(playlist.body, kind: playlist.kind, base: movedTo ?? target.url)
            close()
            delegate?.upstream(self, isPlaylist: list.entries.map(\.url))
        } catch {
            end(.failed(Failure(error, at: name)))
        }
    }
}
