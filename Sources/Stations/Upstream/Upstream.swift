// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import RadioCore
import RadioFormats

/// One connection to a station: the transfer, and the path from its bytes to frames.
///
/// A station may have two upstreams (the hedge beside one that stalls or brings no audio), so an upstream knows nothing
/// of the ring, of positions or of audio delivered before. It frames audio as it comes; a response that is not audio is
/// offered to its delegate. Requests are made by a value, the ``RequestPlan``.
///
/// The same `Upstream` reopens an interrupted file and continues where it broke off, with a ``FileBody``: until its
/// first frames have come, the connection of a file is that of a live stream, and its transfers have the same events.
final class Upstream {
    /// What to connect to.
    struct Target {
        var url: String
        /// See ``TransferRequest/allowsPrivateAddress``.
        var allowsPrivateAddress = true
        /// Whether the server gets the user's header fields, which may hold secrets. Only servers that the user named
        /// get them. The fields are not sent after a redirect to another server.
        var sendsHeaders = true
        /// How a list, or the address, says that the address must be requested.
        var options = EntryOptions()
        /// See ``TitleTrust``.
        var wantsMetadata = true
        /// Whether metadata is looked for where the head says, even if it was not requested.
        var believesHead = true
        /// The file that the address sent in place of a station; nil if it sent no file.
        var foundFile: FoundFile?
        /// See ``FillerField/isNew``.
        var isNew = false
        /// The cookies of the station's earlier responses.
        var cookies: [String] = []
    }

    weak var delegate: (any UpstreamDelegate)?
    /// Receives the connection's parts. A new taker takes effect with the next delivery.
    weak var taker: (any StreamPartTaker)?
    /// Returns the fields by which a relay names itself and the relays that it feeds; not secret. Called for each
    /// request.
    var relayFields: () -> [StationSettings.Header] = { [] }
    /// Called once with the beginning of a file.
    var onBeginning: ((FileBeginning) -> Void)?
    private(set) var info: StationInfo?
    /// The URL of the audio if it differs from the address. Unredacted, so that it can be opened again.
    private(set) var movedTo: String?
    /// Whether the server is in a private network.
    private(set) var isPeerPrivate = false
    /// The age that the first frame had when the head arrived; nil unless a relay states it.
    private(set) var age: Duration?

    private let client: any HTTPClient
    private let reactor: any Reactor
    private let faults: StreamFaults
    private var plan: RequestPlan
    private var transfer: (any HTTPTransfer)?
    /// The head of the first response.
    private var head: ResponseHead?
    private var path: FramePath?
    /// What has been received of a file, so that it can be resumed; nil for a live station.
    private var file: FileBody?
    /// A response that is not audio. The events of its transfer still arrive at this object if it is taken over.
    private var unread: UnreadResponse?
    /// Bytes of the body received so far.
    private(set) var received: Int64 = 0
    private var isOver = false
    private var isPaused = false
    private var hadBody = false
    /// Whether bytes have arrived that no ``UpstreamEvent/delivered`` has reported yet.
    private var hasDelivered = false

    init(
        _ target: Target, settings: StationSettings, client: any HTTPClient, reactor: any Reactor,
        faults: StreamFaults = StreamFaults(), delegate: any UpstreamDelegate
    ) {
        plan = RequestPlan(target, settings)
        self.client = client
        self.reactor = reactor
        self.faults = faults
        self.delegate = delegate
    }
}

// MARK: - Properties

extension Upstream {
    /// Whether reopening continues where the connection broke off.
    var isResumable: Bool { info?.kind == .finite && path?.isRecognized == true }

    /// How much of the body has been received, compared with the length that the head announced.
    var extent: BodyExtent {
        guard let head else { return .other }
        if ResponseClassifier.length(head) == received { return .whole }
        return head["content-length"] == nil ? .unannounced : .other
    }

    /// Whether the server sends anything that only radio servers send.
    var isRadio: Bool { head.map(ResponseClassifier.hasICY) ?? false }

    /// The redacted address.
    var name: String { plan.name }

    /// The redacted address that answered, with the address that led there.
    var place: String { plan.place(head) }

    /// The final address of the audio; nil before there is a response.
    var reached: Target? {
        guard info != nil else { return nil }
        var target = plan.target
        if let movedTo { (target.url, target.allowsPrivateAddress) = (movedTo, isPeerPrivate) }
        return target
    }

    /// The cookies that the next request brings; during ``UpstreamEvent/answered(_:)``, those of the request answered.
    var sentCookies: [String] { plan.target.cookies }

    /// The audible samples of a file, if its info frame states them.
    var trim: GaplessTrim? {
        info?.kind == .finite ? path?.infoFrame.flatMap { GaplessTrim($0) } : nil
    }

    /// Whether a redirect led to an address to which a password is sent. The password's user may be allowed only one
    /// connection.
    var hasCredentials: Bool { movedTo.map(plan.hasCredentials) ?? false }
}

// MARK: - Control by the station

extension Upstream {
    /// Opens the connection. An interrupted file is reopened where it broke off.
    func open() {
        isOver = false
        hadBody = false
        path?.isClosed = false
        file?.reopen()
        if !isResumable { forget() }
        var request = plan.request(relayFields())
        if let head { file?.ask(for: &request, after: head) }
        let transfer = client.start(request, delegate: self)
        if isPaused { transfer.pause() }
        self.transfer = transfer
    }

    /// Forgets what was received: a body begins anew.
    private func forget() {
        received = 0
        file = nil
    }

    /// Emits the last frame if it is whole, although no header after it confirms it.
    func flush() {
        drive { $0.finish(to: $1) }
    }

    /// Closes the connection without another call to the delegate.
    func close() {
        isOver = true
        hasDelivered = false
        path?.isClosed = true
        if unread?.isTaken != true {
            transfer?.cancel()
            unread = nil
        }
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

    private func say(_ event: UpstreamEvent) {
        tellDelivery()
        delegate?.upstream(self, event)
    }

    /// Reports a delivery before any other event.
    private func tellDelivery() {
        guard hasDelivered else { return }
        hasDelivered = false
        delegate?.upstream(self, .delivered)
    }

    private func end(_ end: UpstreamEnd) {
        guard !isOver else { return }
        tellDelivery()
        guard !isOver else { return }
        close()
        say(.ended(end))
    }
}

// MARK: - Gatherer.Source

extension Upstream: Gatherer.Source {
    var holdsFrame: Bool { path?.holdsFrame ?? false }

    func releaseHeld() {
        drive { $0.releaseHeld(to: $1) }
        guard !isOver else { return }
        hasDelivered = true
        tellDelivery()
    }

    func gather(_ bytes: Int, isCoalesced: Bool) { transfer?.gather(bytes, isCoalesced: isCoalesced) }
}

// MARK: - TransferDelegate

extension Upstream: TransferDelegate {
    func transfer(_ transfer: any HTTPTransfer, entered phase: TransferPhase) {
        say(.entered(phase))
    }

    func transfer(_ transfer: any HTTPTransfer, received head: ResponseHead) {
        say(.answered(head))
        plan.keepCookies(of: head)
        guard !isOver else { return }
        if let old = self.head, let resume = file?.resume(head, after: old) { return proceed(resume) }
        if let failure = plan.failure(head, reactor.wallNow) { return end(.failed(failure)) }
        begin(head)
    }

    func transfer(_ transfer: any HTTPTransfer, received bytes: UnsafeRawBufferPointer) {
        if let unread, unread.isOf(transfer) {
            unread.received(bytes)
            return offer()
        }
        if !hadBody {
            hadBody = true
            say(.firstByte)
        }
        guard !isOver, let bytes = newBytes(in: bytes), !isOver, bytes.count > 0 else { return }
        take(bytes)
    }

    func transferDelivered(_ transfer: any HTTPTransfer) { tellDelivery() }

    func transfer(_ transfer: any HTTPTransfer, endedWith error: TransferError?) {
        if let unread, unread.isTaken, unread.isOf(transfer) { return unread.ended(with: error) }
        guard !isOver else { return }
        if error?.code == .compressed, plan.refuseCompression() { return open() }
        if let error {
            // The last frame may be whole. A file does not need it now, because it is resumed where it broke off.
            if !isResumable, path?.isRecognized == true { say(.bodyIsOver) }
            return end(.failed(Failure(error)))
        }
        if unread == nil {
            // A server may send less than the rest of a file, and without a length its end looks like the file's end.
            if file?.isCut == true { return end(.failed(.cutFile(at: plan.name))) }
            // The response ended before the end of the bytes received earlier.
            if file?.isComparing == true { return endAsNoFile() }
            say(.bodyIsOver)
        }
        // Perhaps only the end of the response has shown that it is not audio.
        if let unread, unread.isOf(transfer) {
            unread.ended(with: nil)
            return offer()
        }
        // The last bytes may have ended this connection or opened another.
        if transfer === self.transfer { end(.complete) }
    }
}

// MARK: - The body

extension Upstream {
    /// Starts a body that is the connection's first, or that does not continue an earlier body.
    private func begin(_ head: ResponseHead) {
        let info = plan.info(head)
        (self.head, self.info) = (head, info)
        movedTo = plan.movedTo(head)
        isPeerPrivate = head.isPeerPrivate
        age = head[AgeField.name.lowercased()].flatMap(AgeField.age)
        path = plan.path(head, info, faults)
        file = info.kind == .finite ? FileBody(from: plan.begin?.byte ?? 0, head) : nil
        unread = nil
        say(.accepted(info))
        if let begin = plan.begin, !begin.head.isEmpty {
            begin.head.withUnsafeBytes { bytes in drive { $0.push(bytes, to: $1) } }
        }
    }

    /// Processes new bytes.
    private func take(_ bytes: UnsafeRawBufferPointer) {
        received += Int64(bytes.count)
        file?.append(bytes)
        drive { $0.push(bytes, to: $1) }
        if !isOver, unread == nil { hasDelivered = true }
        tellBeginning()
    }

    /// Passes the beginning of a file on, once enough of it has arrived.
    private func tellBeginning() {
        guard onBeginning != nil, isResumable, let head, let bytes = file?.beginning,
            let beginning = FileBeginning(bytes, of: head)
        else { return }
        onBeginning.take()?(beginning)
    }

    /// Runs `work` on the path, which may emit frames. If the path has ended, handles its end.
    private func drive(_ work: (FramePath, any StreamPartTaker) -> Void) {
        guard !isOver, let path, let taker else { return }
        work(path, taker)
        if !isOver, let ending = path.takeEnding() { end(ending) }
    }

    private func end(_ ending: FramePath.Ending) {
        switch ending {
        case .slipped:
            end(.slipped(.titlesSlipped(at: plan.name)))
        case .misread:
            end(.misread(.titlesMisread(at: plan.name)))
        case .noAudio(.unknown, let prefix) where prefix.isEmpty:
            // An empty body is not a failure.
            end(.complete)
        case .noAudio(.html, _) where plan.goBehindPage(head):
            close()
            open()
        case .noAudio(let guess, let prefix):
            unread = head.map { UnreadResponse($0, guess, prefix, of: transfer) }
            offer()
        }
    }

    /// Offers a response that is not audio, again with each piece, until it is known how the connection ends.
    private func offer() {
        guard !isOver, let unread, let end = delegate?.upstream(self, offers: unread) else { return }
        self.end(end)
    }
}

// MARK: - The rest of a file

extension Upstream {
    private func proceed(_ resume: FileResume) {
        switch resume {
        case .compare:
            break
        case .complete:
            say(.bodyIsOver)
            end(.complete)
        case .requestWhole:
            close()
            open()
        case .otherwise:
            endAsNoFile()
        }
    }

    /// The new bytes; nil if all of them were received before.
    private func newBytes(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard file?.isComparing == true, let verdict = file?.look(at: bytes) else { return bytes }
        switch verdict {
        case .again(let isProgress):
            if isProgress { say(.goesOver) }
            return nil
        case .differs:
            endAsNoFile()
            return nil
        case .differsFromStart(let head, let body):
            proceedAsStation(head, body)
            return isOver ? nil : bytes
        case .new(let count):
            if let info { say(.accepted(info)) }
            return UnsafeRawBufferPointer(rebasing: bytes.dropFirst(count))
        }
    }

    /// Ends the connection because it does not bring the rest of the file. What was received of the file is kept,
    /// including its last frame if that is whole.
    private func endAsNoFile() {
        flush()
        info?.kind = .live
        end(.noFile(.noFile(at: plan.name)))
    }

    /// Treats the response as a live station's audio rather than the rest of the file, from its first byte on, so that
    /// nothing is lost.
    private func proceedAsStation(_ head: ResponseHead, _ body: [UInt8]) {
        flush()
        guard !isOver else { return }
        plan.expectStation()
        forget()
        info?.kind = .live
        say(.turnsOutLive(.noFile(at: plan.name)))
        if !isOver { begin(head) }
        if !isOver, !body.isEmpty { body.withUnsafeBytes { take($0) } }
    }
}
