// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import RadioFormats

/// One connection to a station: the transfer, and the path from its bytes to frames.
///
/// A station may have two upstreams (the hedge beside one that stalls or brings no audio), so an upstream knows nothing
/// of the ring, of positions or of audio delivered before. It frames audio as it comes; its delegate is offered each
/// response, and decides how a body that broke off goes on. Requests are made by a value, the ``RequestPlan``.
final class Upstream {
    weak var delegate: (any UpstreamDelegate)?
    /// Receives the connection's parts. A new taker takes effect with the next delivery.
    weak var taker: (any StreamPartTaker)?
    /// Returns the fields by which a relay names itself and the relays that it feeds; not secret. Called for each
    /// request.
    var relayFields: () -> [StationSettings.Header] = { [] }
    /// The head of the response with which the body began.
    private(set) var head: ResponseHead?
    private(set) var info: StationInfo?
    /// The URL of the audio if it differs from the address. Unredacted, so that it can be opened again.
    private(set) var movedTo: String?
    /// Bytes of the body received so far.
    private(set) var received: Int64 = 0
    /// How long a whole frame waits for what follows it while nothing arrives.
    var frameWait = Gatherer.silence

    private let client: any HTTPClient
    private let reactor: any Reactor
    private let faults: StreamFaults
    private var plan: RequestPlan
    private var transfer: (any HTTPTransfer)?
    private var path: FramePath?
    /// A response that is not audio. The events of its transfer still arrive at this object if it is taken over.
    private var unread: UnreadResponse?
    private var isOver = false
    private var isPaused = false
    private var hadBody = false
    /// Whether bytes have arrived that no ``UpstreamEvent/delivered`` has reported yet.
    private var hasDelivered = false
    private var lastRead: MonotonicInstant?
    private lazy var releaseTimer = reactor.makeTimer { [weak self] in self?.releaseHeld() }

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
    /// Whether the body has been recognised as audio.
    var isRecognized: Bool { path?.isRecognized == true }

    /// The info frame before the body's first frame; nil if there is none.
    var infoFrame: MPEGInfoFrame? { path?.infoFrame }

    /// The first byte of a file that was requested; 0 for the whole file.
    var offset: Int64 { plan.begin?.byte ?? 0 }

    /// Whether the server is in a private network.
    var isPeerPrivate: Bool { head?.isPeerPrivate ?? false }

    /// When the newest bytes arrived, or at the latest when they were read; nil before the first.
    var lastArrival: MonotonicInstant? { transfer?.lastArrival ?? lastRead }

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

    /// Whether a redirect led to an address to which a password is sent. The password's user may be allowed only one
    /// connection.
    var hasCredentials: Bool { movedTo.map(plan.hasCredentials) ?? false }
}

// MARK: - Control by the station

extension Upstream {
    /// Opens the connection.
    func open() {
        isOver = false
        hadBody = false
        path?.isClosed = false
        let transfer = client.start(plan.request(relayFields()), delegate: self)
        if isPaused { transfer.pause() }
        self.transfer = transfer
    }

    /// Opens the connection again, to go on with its body: with the rest of a file, or with all of it.
    func reopen(at rest: FileBegin?) {
        plan.begin = rest
        open()
    }

    /// Begins the body anew with a response of which this much has come, and which is a station's.
    func begin(anewWith head: ResponseHead, _ body: [UInt8]) {
        guard !isOver else { return }
        plan.expectStation()
        begin(head)
        if !isOver, !body.isEmpty { body.withUnsafeBytes { take($0) } }
    }

    /// Emits the last frame if it is whole, although no header after it confirms it.
    func flush() {
        drive { $0.finish(to: $1) }
    }

    /// Closes the connection without another call to the delegate. `isReleasing`: whether the frame that waits only for
    /// what follows it is emitted first.
    func close(isReleasing: Bool = false) {
        if isReleasing { drive { $0.releaseHeld(to: $1) } }
        isOver = true
        hasDelivered = false
        releaseTimer.cancel()
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

    /// Emits the frame that has waited for what follows it.
    func releaseHeld() {
        guard !isPaused else { return }
        drive { $0.releaseHeld(to: $1) }
        guard !isOver else { return }
        hasDelivered = true
        tellDelivery()
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
        guard !isOver, path?.holdsFrame == true else { return releaseTimer.cancel() }
        releaseTimer.arm(at: reactor.now + frameWait)
    }

    /// Closes the connection, and reports its end.
    func end(_ end: UpstreamEnd) {
        guard !isOver else { return }
        tellDelivery()
        guard !isOver else { return }
        close()
        say(.ended(end))
    }
}

// MARK: - Gatherer.Supplier

extension Upstream: Gatherer.Supplier {
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
        if delegate?.upstream(self, goesOnWith: head) == true { return }
        if let failure = plan.failure(head, reactor.wallNow) { return end(.failed(failure)) }
        begin(head)
    }

    func transfer(_ transfer: any HTTPTransfer, received bytes: UnsafeRawBufferPointer) {
        if let unread, unread.isOf(transfer) {
            unread.received(bytes)
            return offer(unread)
        }
        if !hadBody {
            hadBody = true
            say(.firstByte)
        }
        guard !isOver, let bytes = delegate?.upstream(self, newIn: bytes), !isOver, bytes.count > 0 else { return }
        take(bytes)
    }

    func transferDelivered(_ transfer: any HTTPTransfer) { tellDelivery() }

    func transfer(_ transfer: any HTTPTransfer, endedWith error: TransferError?) {
        if let unread, unread.isTaken, unread.isOf(transfer) { return unread.ended(with: error) }
        guard !isOver else { return }
        if error?.code == .compressed, plan.refuseCompression() { return open() }
        if let error {
            // The last frame may be whole.
            if isRecognized { say(.bodyIsOver(isBroken: true)) }
            return end(.failed(Failure(error)))
        }
        if unread == nil { say(.bodyIsOver(isBroken: false)) }
        // Perhaps only the end of the response has shown that it is not audio.
        if let unread, unread.isOf(transfer) {
            unread.ended(with: nil)
            return offer(unread)
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
        path = plan.path(head, info, faults)
        (received, unread) = (0, nil)
        offer(UnreadResponse(head, .undecided, [], of: nil))
        if let begin = plan.begin, !begin.head.isEmpty {
            begin.head.withUnsafeBytes { bytes in drive { $0.push(bytes, to: $1) } }
        }
    }

    /// Processes new bytes.
    private func take(_ bytes: UnsafeRawBufferPointer) {
        received += Int64(bytes.count)
        lastRead = reactor.now
        drive { $0.push(bytes, to: $1) }
        if !isOver, unread == nil { hasDelivered = true }
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
            unread.map(offer)
        }
    }

    /// Offers a response, of which more has come, until it is known how the connection ends.
    private func offer(_ response: UnreadResponse) {
        guard !isOver, let end = delegate?.upstream(self, offers: response) else { return }
        self.end(end)
    }
}
