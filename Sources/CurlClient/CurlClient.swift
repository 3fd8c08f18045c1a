// SPDX-License-Identifier: MIT

import CLibCurl
package import EventLoop
import Glibc
import Instants
import RadioFormats

/// The HTTP client: runs all transfers in one libcurl multi, driven by a reactor.
///
/// curl says which descriptors to watch and when to call it (`curl_multi_socket_action`). Whatever must not be done
/// inside its callbacks, above all adding and removing transfers, is queued and done in one deferred call at the end of
/// the turn, which also collects ended transfers. A delegate may therefore do anything in any of its calls.
///
/// Call ``close()`` before releasing the last reference.
package final class CurlClient: HTTPClient {
    private let reactor: any Reactor
    let reach: (PeerAddress) -> PeerAddress.Reach
    private var multi: OpaquePointer?
    private var isClosed = false
    private var networkChange: MonotonicInstant?

    /// All transfers that have started and not ended, by identity.
    private var transfers: [ObjectIdentifier: Transfer] = [:]
    /// The number of transfers in the multi.
    private var added = 0
    /// The last known addresses of hosts.
    var addressBook = AddressBook()
    private(set) lazy var sockets = SocketTable(reactor) { [unowned self] in socketReady($0, $1) }
    private var timer: (any ReactorTimer)?
    /// How many times in a row curl has requested an immediate call.
    private var impatience = 0

    private var toStart: [Transfer] = []
    private var toStop: [Transfer] = []
    private var toPause: [Transfer] = []
    private var toNudge: [Transfer] = []
    /// Transfers that have used their share of this turn. ``nextTurn`` is the timer that resumes them in the next turn.
    private var toProceed: [Transfer] = []
    private var nextTurn: (any ReactorTimer)?
    /// Whether the multi must be replaced, and the result code of its error, if it had one.
    private var isPoisoned = false
    private var multiFault: CInt = 0
    private var isTidyingSoon = false
    /// Whether a curl function is on the stack.
    private var isInCurl = false
    /// Transfers whose delegates have received bytes, but not yet the report that the delivery is over.
    private var delivering: [Transfer] = []

    /// How many immediate calls in a row curl gets when it requests them. Further calls are delayed by a millisecond
    /// each, because curl's resolver can request immediate calls endlessly.
    private static let impatienceLimit = 4
    /// How many seconds an unused connection is kept at most. Servers close it after 5 to 75.
    private static let idleLimit = 30

    /// A client on this reactor. Does not use curl before the first transfer.
    ///
    /// `reach` returns how far an address reaches; a test on loopback, where all addresses are near, supplies its own.
    package init(reactor: any Reactor, reach: @escaping (PeerAddress) -> PeerAddress.Reach = \.reach) {
        self.reactor = reactor
        self.reach = reach
    }

    deinit {
        assert(isClosed, "CurlClient was dropped without close()")
    }

    /// Starts a transfer. The delegate is not called before this function has returned. Even an invalid request is
    /// reported to the delegate like any other failure.
    package func start(_ request: TransferRequest, delegate: any TransferDelegate) -> any HTTPTransfer {
        precondition(!isClosed, "CurlClient is closed")
        let exchange = Exchange(request, client: self, delegate: delegate)
        exchange.start()
        return exchange
    }

    /// Starts an attempt at an exchange. Returns nil once the client is closed.
    func attempt(
        _ request: TransferRequest, knownAddress: PeerAddress?, claims: AddressClaims, for exchange: Exchange
    ) -> Transfer? {
        guard !isClosed else { return nil }
        let transfer = Transfer(
            request, knownAddress: knownAddress, claims: claims, client: self, delegate: exchange)
        transfers[ObjectIdentifier(transfer)] = transfer
        toStart.append(transfer)
        tidySoon()
        return transfer
    }

    /// Cancels every transfer and frees curl's resources. This happens at once, or later in this turn if a delegate
    /// makes the call. Idempotent.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        for transfer in transfers.values { transfer.exchange?.cancel() }
        if isInCurl { tidySoon() } else { tearDown() }
    }

    /// Handles a change of this machine's routes or addresses: lookups and connection attempts in progress start over,
    /// with the current name servers. Established connections stay.
    package func networkChanged() {
        networkChange = now
        let exchanges = transfers.values.compactMap(\.exchange).map { (ObjectIdentifier($0), $0) }
        for exchange in Dictionary(exchanges, uniquingKeysWith: { first, _ in first }).values { exchange.restart() }
    }

    /// The age in seconds of the oldest unused connection that a request may take: one of before a change of the network
    /// may be dead without a sign. Nil if there can be none. curl counts in whole seconds.
    var idleLimit: Int? {
        let since = networkChange.map { Int((now - $0).components.seconds) - 1 } ?? Self.idleLimit
        return since > 0 ? min(since, Self.idleLimit) : nil
    }

    /// Discards the multi at the end of the turn: its transfers end as aborted, and the next transfer gets a new multi.
    ///
    /// Happens automatically after an error of the multi, which affects all its transfers.
    package func rebuild() {
        isPoisoned = true
        tidySoon()
    }

    // MARK: For the transfers

    var now: MonotonicInstant { reactor.now }

    /// The current time, not the time at which the turn began.
    func readClock() -> MonotonicInstant { reactor.readClocks().now }

    func makeTimer(_ handler: @escaping () -> Void) -> any ReactorTimer { reactor.makeTimer(handler) }

    /// Keeps the address at which a server was reached.
    func reached(_ address: PeerAddress, forURL url: String) {
        if let host = CurlLibrary.host(of: url) { addressBook.found(host, at: address) }
    }

    /// Removes the transfer from the multi at the end of the turn, and reports its end to its delegate, if any.
    func stopSoon(_ transfer: Transfer) {
        toStop.append(transfer)
        tidySoon()
    }

    /// Tells curl at the end of the turn whether the transfer is paused.
    func pauseSoon(_ transfer: Transfer) {
        toPause.append(transfer)
        tidySoon()
    }

    /// Reports to the delegate that the delivery is over, once curl has no more bytes.
    func tellDeliverySoon(of transfer: Transfer) {
        if delivering.last !== transfer { delivering.append(transfer) }
    }

    /// Resumes the transfer in the next turn; see ``TurnShare``.
    func proceedNextTurn(_ transfer: Transfer) {
        let timer = nextTurn ?? reactor.makeTimer { [unowned self] in proceed() }
        nextTurn = timer
        if toProceed.isEmpty { timer.arm(at: reactor.now) }
        toProceed.append(transfer)
    }

    /// Makes curl check the transfer in the next turn. This is needed when curl was refused a socket, because curl
    /// would otherwise wait for an event before it tries the next address.
    func nudgeSoon(_ transfer: Transfer) {
        toNudge.append(transfer)
        tidySoon()
    }

    // MARK: The end of the turn

    private func tidySoon() {
        guard !isTidyingSoon else { return }
        isTidyingSoon = true
        // Retains the client until the end of the turn. The client itself is the closure's context, so nothing is
        // allocated.
        reactor.defer { [self] in tidy() }
    }

    /// Does what could not be done inside curl. This calls delegates, and each of them may change anything.
    private func tidy() {
        isTidyingSoon = false
        guard !isClosed else { return tearDown() }
        readEnded()
        if isPoisoned { replaceMulti() }
        // Transfers that delegates add to these lists during the following calls are handled in the next deferred call.
        let (stopping, pausing, nudging, starting) = (toStop, toPause, toNudge, toStart)
        (toStop, toPause, toNudge, toStart) = ([], [], [], [])
        for transfer in stopping where isUnderWay(transfer) { stop(transfer) }
        for transfer in pausing where isUnderWay(transfer) { applyPause(transfer) }
        for transfer in nudging where isUnderWay(transfer) {
            if let handle = transfer.handle { enterCurl { ac_curl_nudge(handle) } }
        }
        for transfer in starting where isUnderWay(transfer) { begin(transfer) }
    }

    private func isUnderWay(_ transfer: Transfer) -> Bool {
        transfers[ObjectIdentifier(transfer)] != nil
    }

    private func readEnded() {
        var result: CInt = 0
        while let multi, let context = ac_curl_multi_next_ended(multi, &result) {
            let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            let error = transfer.conclude(result)
            release(transfer)
            transfer.deliverEnd(error)
        }
    }

    private func stop(_ transfer: Transfer) {
        let error = transfer.abandonment
        release(transfer)
        transfer.deliverEnd(error)
    }

    private func applyPause(_ transfer: Transfer) {
        // Before the body, there is nothing to pause, and the head must be received. A pause that is requested before
        // the body is applied by the body hook.
        guard let handle = transfer.handle, transfer.isHeadDelivered else { return }
        enterCurl { _ = ac_curl_set_paused(handle, transfer.isHeldBack) }
    }

    /// Resumes transfers that used their share of the previous turn.
    private func proceed() {
        let waiting = toProceed
        toProceed = []
        // curl rightly requests an immediate call after each resumed transfer, so the count of such requests starts
        // again from zero.
        impatience = 0
        for transfer in waiting where isUnderWay(transfer) {
            transfer.renewShare()
            applyPause(transfer)
        }
    }

    private func begin(_ transfer: Transfer) {
        let error =
            CurlLibrary.fault ?? transfer.prepare(hooks: ac_curl_hooks(of: transfer, by: self)) ?? add(transfer)
        guard error != nil || transfer.isCancelled else { return }
        release(transfer)
        transfer.deliverEnd(error)
    }

    private func add(_ transfer: Transfer) -> TransferError? {
        guard !transfer.isCancelled, !isClosed, let handle = transfer.handle else { return nil }
        if multi == nil { multi = makeMulti() }
        guard let multi else {
            return TransferError(
                .resources, "no descriptors or memory left to fetch \(AddressText(transfer.request.url).redacted)")
        }
        var result: CInt = 0
        enterCurl { result = ac_curl_multi_add(multi, handle) }
        guard result != 0 else {
            transfer.isAdded = true
            added += 1
            return nil
        }
        return TransferError(
            .aborted, "fetching \(AddressText(transfer.request.url).redacted) could not begin",
            detail: "multi \(result): \(String(cString: ac_curl_multi_describe(result)))")
    }

    /// Removes a transfer everywhere and frees its handle, which closes its sockets.
    private func release(_ transfer: Transfer) {
        transfers[ObjectIdentifier(transfer)] = nil
        if transfer.isAdded, let multi, let handle = transfer.handle {
            transfer.isAdded = false
            added -= 1
            enterCurl { _ = ac_curl_multi_remove(multi, handle) }
        }
        transfer.dispose()
    }

    private func replaceMulti() {
        isPoisoned = false
        let ended = transfers.values.filter(\.isAdded)
        for transfer in ended { release(transfer) }
        freeMulti()
        let words =
            multiFault == 0 ? nil : "multi \(multiFault): \(String(cString: ac_curl_multi_describe(multiFault)))"
        multiFault = 0
        for transfer in ended {
            let url = AddressText(transfer.request.url).redacted
            transfer.deliverEnd(TransferError(.aborted, "fetching \(url) was interrupted", detail: words))
        }
    }

    private func tearDown() {
        for transfer in transfers.values { release(transfer) }
        (toStart, toStop, toPause, toNudge, toProceed) = ([], [], [], [], [])
        freeMulti()
        for timer in [timer, nextTurn] { timer?.cancel() }
        (timer, nextTurn) = (nil, nil)
    }

    // MARK: The multi

    private func makeMulti() -> OpaquePointer? {
        var hooks = ac_curl_multi_hooks(of: self)
        return ac_curl_multi_create(&hooks)
    }

    private func freeMulti() {
        guard let multi else { return }
        self.multi = nil
        enterCurl { ac_curl_multi_free(multi) }
        timer?.cancel()
        sockets.removeAll()
    }

    private func enterCurl(_ body: () -> Void) {
        let wasInCurl = isInCurl
        isInCurl = true
        body()
        isInCurl = wasInCurl
        if !isInCurl { tellDeliveries() }
    }

    private func tellDeliveries() {
        guard !delivering.isEmpty else { return }
        let told = delivering
        delivering.removeAll(keepingCapacity: true)
        for transfer in told where isUnderWay(transfer) { transfer.tellDelivery() }
    }

    /// Handles a descriptor's readiness.
    private func socketReady(_ descriptor: CInt, _ readiness: Readiness) {
        guard let multi else { return }
        impatience = 0
        // If curl is given these bits, it reads at once; otherwise it would call poll first.
        var bits: CInt = 0
        if readiness.contains(.read) { bits |= CInt(AC_CURL_READY_READ) }
        if readiness.contains(.write) { bits |= CInt(AC_CURL_READY_WRITE) }
        var (result, running): (CInt, CInt) = (0, 0)
        enterCurl { result = ac_curl_multi_socket(multi, descriptor, bits, &running) }
        after(result, running: running)
    }

    private func timerFired() {
        guard let multi else { return }
        var (result, running): (CInt, CInt) = (0, 0)
        enterCurl { result = ac_curl_multi_timeout(multi, &running) }
        after(result, running: running)
    }

    private func after(_ result: CInt, running: CInt) {
        if result != 0 {
            multiFault = result
            rebuild()
        }
        // If fewer transfers are running than were added, some have ended and can be collected.
        if running < added { tidySoon() }
    }

    // MARK: curl's hooks

    /// Called when curl wants a descriptor watched, or no longer watched.
    func watch(_ descriptor: CInt, _ what: CInt) {
        guard what != CInt(AC_CURL_WATCH_REMOVE) else { return sockets.unwatch(descriptor) }
        var interest: Readiness = []
        if what & CInt(AC_CURL_WATCH_READ) != 0 { interest.insert(.read) }
        if what & CInt(AC_CURL_WATCH_WRITE) != 0 { interest.insert(.write) }
        sockets.watch(descriptor, for: interest)
    }

    /// Called when curl wants to be called after `milliseconds`, or never for -1. Does not call curl here: the timer
    /// fires in a later turn.
    func setTimer(_ milliseconds: Int) {
        guard milliseconds >= 0 else {
            timer?.cancel()
            return
        }
        impatience = milliseconds == 0 ? impatience + 1 : 0
        let wait = impatience > Self.impatienceLimit ? 1 : milliseconds
        let timer = self.timer ?? reactor.makeTimer { [unowned self] in timerFired() }
        self.timer = timer
        timer.arm(at: reactor.now + .milliseconds(wait))
    }
}
