// SPDX-License-Identifier: MIT

import CLibCurl
package import EventLoop
import Glibc
import Instants
import RadioFormats

/// HTTP out: transfers over one multi of libcurl's, driven by a reactor. Confined to the loop's thread.
///
/// curl says which descriptors to watch and when to call it (`curl_multi_socket_action`). What may not be done inside
/// its callbacks, above all adding and removing transfers, is noted and done in one deferred call at the end of the
/// turn, where ended transfers are read, too. So a delegate may do anything in any of its calls.
///
/// ``close()`` must come before the last reference goes.
package final class CurlClient: HTTPClient {
    private let reactor: any Reactor
    let reach: (PeerAddress) -> PeerAddress.Reach
    private var multi: OpaquePointer?
    private var isClosed = false

    /// Everything that has been started and is not over, by identity.
    private var transfers: [ObjectIdentifier: Transfer] = [:]
    /// How many of them are in the multi.
    private var added = 0
    /// Where hosts were found.
    var addressBook = AddressBook()
    /// Which transfer each open socket belongs to.
    private var sockets: [CInt: ObjectIdentifier] = [:]
    /// What curl wants watched: sockets, and descriptors of its resolver's.
    private var watches: [CInt: any SocketWatch] = [:]
    private var timer: (any ReactorTimer)?
    /// How often in a row curl has asked to be called at once.
    private var impatience = 0

    private var toStart: [Transfer] = []
    private var toStop: [Transfer] = []
    private var toPause: [Transfer] = []
    private var toNudge: [Transfer] = []
    /// The transfers that have had their share of this turn, and what wakes them in the next one.
    private var toGoOn: [Transfer] = []
    private var nextTurn: (any ReactorTimer)?
    /// Whether the multi is to be replaced, and its error, if it had one.
    private var isPoisoned = false
    private var multiFault: CInt = 0
    private var isTidyingSoon = false
    /// Whether one of curl's functions is on the stack.
    private var isInCurl = false
    /// Transfers that have delivered bytes, and have not told that these were all.
    private var delivering: [Transfer] = []

    /// How often in a row curl is called at once when it asks for no wait at all; then it waits a millisecond. Its
    /// resolver can ask for that without end.
    private static let impatienceLimit = 4

    /// A client on this reactor; makes nothing of curl's before the first transfer.
    ///
    /// `reach` says how far an address reaches: a test on loopback, where all addresses are near, has its own answer.
    package init(reactor: any Reactor, reach: @escaping (PeerAddress) -> PeerAddress.Reach = \.reach) {
        self.reactor = reactor
        self.reach = reach
    }

    deinit {
        assert(isClosed, "CurlClient was dropped without close()")
    }

    /// Starts a transfer. The delegate is not called before this returns, and hears of a bad request as of any other
    /// failure.
    package func start(_ request: TransferRequest, delegate: any TransferDelegate) -> any HTTPTransfer {
        precondition(!isClosed, "CurlClient is closed")
        let race = ConnectRace(request, client: self, delegate: delegate)
        race.start()
        return race
    }

    /// Starts one attempt at an exchange; nil once the client is closed.
    func attempt(
        _ request: TransferRequest, knownAddress: PeerAddress?, claims: AddressClaims, for race: ConnectRace
    ) -> Transfer? {
        guard !isClosed else { return nil }
        let transfer = Transfer(
            request, knownAddress: knownAddress, claims: claims, client: self, delegate: race)
        transfers[ObjectIdentifier(transfer)] = transfer
        toStart.append(transfer)
        tidySoon()
        return transfer
    }

    /// Cancels every transfer and frees what is curl's, at once or, inside a delegate's call, later in this turn.
    /// Idempotent.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        for transfer in transfers.values { transfer.race?.cancel() }
        if isInCurl { tidySoon() } else { tearDown() }
    }

    /// Routes or addresses of this machine have changed: lookups and connections that are under way begin anew, with
    /// the present name servers. Established connections stay.
    package func networkChanged() {
        let races = transfers.values.compactMap(\.race).map { (ObjectIdentifier($0), $0) }
        for race in Dictionary(races, uniquingKeysWith: { first, _ in first }).values { race.restart() }
    }

    /// Gives up on the multi at the end of the turn: its transfers end as aborted, and the next one gets a fresh multi.
    ///
    /// Happens by itself after an error of the multi's, which poisons all its transfers.
    package func rebuild() {
        isPoisoned = true
        tidySoon()
    }

    // MARK: For the transfers

    var now: MonotonicInstant { reactor.now }

    /// The time at this moment, not at the turn's beginning.
    func readClock() -> MonotonicInstant { reactor.readClocks().now }

    func makeTimer(_ handler: @escaping () -> Void) -> any ReactorTimer { reactor.makeTimer(handler) }

    /// A transfer has a new socket. A watch left by the number's former owner watches nothing any more, and is
    /// cancelled.
    func opened(_ descriptor: CInt, by transfer: Transfer) {
        unwatch(descriptor)
        sockets[descriptor] = ObjectIdentifier(transfer)
    }

    /// A server was reached at this address.
    func reached(_ address: PeerAddress, forURL url: String) {
        if let host = CurlLibrary.host(of: url) { addressBook.found(host, at: address) }
    }

    /// The open sockets of a transfer: one, unless several addresses are tried at the same time.
    func sockets(of transfer: Transfer) -> [CInt] {
        sockets.filter { $0.value == ObjectIdentifier(transfer) }.map(\.key)
    }

    /// Takes the transfer out of the multi at the end of the turn; it tells its delegate why, if it knows.
    func stopSoon(_ transfer: Transfer) {
        toStop.append(transfer)
        tidySoon()
    }

    /// Tells curl at the end of the turn whether the transfer is paused.
    func pauseSoon(_ transfer: Transfer) {
        toPause.append(transfer)
        tidySoon()
    }

    /// Tells the delegate that bytes were delivered as soon as curl has no more of them.
    func tellDeliverySoon(of transfer: Transfer) {
        if delivering.last !== transfer { delivering.append(transfer) }
    }

    /// Lets the transfer go on in the next turn; see ``TurnShare``.
    func goOnNextTurn(_ transfer: Transfer) {
        let timer = nextTurn ?? reactor.makeTimer { [unowned self] in goOn() }
        nextTurn = timer
        if toGoOn.isEmpty { timer.arm(at: reactor.now) }
        toGoOn.append(transfer)
    }

    /// Lets curl look at the transfer in the next turn. curl was refused a socket for it, and would wait for an event
    /// before it tries the next address.
    func nudgeSoon(_ transfer: Transfer) {
        toNudge.append(transfer)
        tidySoon()
    }

    // MARK: The end of the turn

    private func tidySoon() {
        guard !isTidyingSoon else { return }
        isTidyingSoon = true
        // Holds the client until then. The client itself is the closure's context, so nothing is allocated.
        reactor.defer { [self] in tidy() }
    }

    /// Does what could not be done inside curl. Delegates are called here, so anything may change at each call.
    private func tidy() {
        isTidyingSoon = false
        guard !isClosed else { return tearDown() }
        readEnded()
        if isPoisoned { replaceMulti() }
        // What the delegates add now is done in the next call.
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
        // Before the body there is nothing to pause, and the head is wanted. The body hook pauses by itself.
        guard let handle = transfer.handle, transfer.isHeadDelivered else { return }
        enterCurl { _ = ac_curl_set_paused(handle, transfer.isHeldBack) }
    }

    /// Lets transfers go on that have had their share of the turn before.
    private func goOn() {
        let waiting = toGoOn
        toGoOn = []
        // curl asks for no wait after each of them, and rightly.
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

    /// Takes a transfer out of everything and frees its handle; its sockets are closed then.
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
            transfer.deliverEnd(TransferError(.aborted, "fetching \(url) was broken off", detail: words))
        }
    }

    private func tearDown() {
        for transfer in transfers.values { release(transfer) }
        (toStart, toStop, toPause, toNudge, toGoOn) = ([], [], [], [], [])
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
        for watch in watches.values { watch.cancel() }
        (watches, sockets) = ([:], [:])
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

    /// A descriptor is ready.
    private func socketReady(_ descriptor: CInt, _ readiness: Readiness) {
        guard let multi else { return }
        impatience = 0
        // With the bits at hand curl reads at once, where it would otherwise ask poll first.
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
        // Fewer than were added: some have ended, and can be read.
        if running < added { tidySoon() }
    }

    // MARK: curl's hooks

    /// curl wants a descriptor watched, or no more.
    func watch(_ descriptor: CInt, _ what: CInt) {
        guard what != CInt(AC_CURL_WATCH_REMOVE) else { return unwatch(descriptor) }
        var interest: Readiness = []
        if what & CInt(AC_CURL_WATCH_READ) != 0 { interest.insert(.read) }
        if what & CInt(AC_CURL_WATCH_WRITE) != 0 { interest.insert(.write) }
        let watch =
            watches[descriptor] ?? reactor.watch(descriptor) { [unowned self] in socketReady(descriptor, $0) }
        watches[descriptor] = watch
        watch.interest = interest
    }

    /// curl wants to be called after `milliseconds`; -1 is never. Not from here: the timer fires in a later turn.
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

    /// A socket is about to close.
    func closing(_ descriptor: CInt) {
        sockets[descriptor] = nil
        unwatch(descriptor)
    }

    private func unwatch(_ descriptor: CInt) {
        watches.removeValue(forKey: descriptor)?.cancel()
    }
}
