// SPDX-License-Identifier: MIT

package import CurlClient
package import EventLoop
import Instants

/// Simulates servers in virtual time, in place of curl: the answers of a ``LiveScript`` reach the delegate without a
/// socket.
///
///     let reactor = ManualReactor()
///     let origin = VirtualOrigin(LiveScript(.stream(LiveStream(programme))), reactor: reactor)
///     let station = Station(settings: .init(urls: ["http://radio.test/live"]), client: origin, reactor: reactor)
///     station.start()
///     reactor.advance(by: .seconds(45))
///     #expect(origin.log.accepts.count == 5)
///
/// Body bytes are delivered in blocks of at most 1,400 bytes. The origin never calls a delegate from within a call of
/// the client; only answers by hand are delivered inside the test's own call. The delegate methods are called in the
/// same order as with curl, and errors have the codes that curl would report.
package final class VirtualOrigin: HTTPClient {
    package private(set) var log = OriginLog()
    /// The transfers that the test answers (``LiveScript/Answer/byHand``), in the order of their requests.
    package private(set) var byHand: [VirtualTransfer] = []
    /// The duration of a name resolution.
    package var resolveLatency = Duration.milliseconds(1)
    /// The time until a connection is established or refused. If resolution and connection together exceed the
    /// request's connect timeout, the transfer fails with that timeout, as with a black hole. All three latencies may
    /// be changed at any time.
    package var connectLatency = Duration.milliseconds(5)
    /// The time from the request to the response.
    package var answerLatency = Duration.milliseconds(5)

    /// The servers with a public address; all others are in a private network.
    package var publicHosts: Set<String> = []

    let reactor: any Reactor
    private let began: MonotonicInstant
    private let hosts: [String: Host]
    private let others: Host?
    private var transfers: [ObjectIdentifier: VirtualTransfer] = [:]

    final class Host {
        let name: String
        let script: LiveScript
        private(set) var visits = 0

        init(_ name: String, _ script: LiveScript) { (self.name, self.script) = (name, script) }

        func nextVisit() -> Int {
            defer { visits += 1 }
            return visits
        }
    }

    /// Creates one server that answers for every host. Its script starts now.
    package init(_ script: LiveScript, reactor: any Reactor) {
        self.reactor = reactor
        began = reactor.now
        hosts = [:]
        others = Host("", script)
    }

    /// Creates several servers, one for each key of `hosts`: a host, with the port if the URL has one. Other hosts do
    /// not resolve. All scripts start now.
    package init(hosts: [String: LiveScript], reactor: any Reactor) {
        self.reactor = reactor
        began = reactor.now
        self.hosts = Dictionary(uniqueKeysWithValues: hosts.map { ($0.key, Host($0.key, $0.value)) })
        others = nil
    }

    package func start(_ request: TransferRequest, delegate: any TransferDelegate) -> any HTTPTransfer {
        let transfer = VirtualTransfer(request, origin: self, delegate: delegate)
        transfers[ObjectIdentifier(transfer)] = transfer
        reactor.defer { transfer.begin() }
        return transfer
    }

    /// Makes resolution, connection and answer take no time.
    package func answersAtOnce() {
        (resolveLatency, connectLatency, answerLatency) = (.zero, .zero, .zero)
    }

    /// How long a server's programme has been on air; `onAir` is its ``LiveScript/onAir``.
    package func programmeTime(onAir: Duration = .seconds(40)) -> Duration { onAir + elapsed }

    /// The number of transfers in progress, whether they are connected or not.
    package var transfersUnderWay: Int { transfers.count }

    // MARK: For the transfers

    var elapsed: Duration { elapsed(at: reactor.now) }

    func elapsed(at instant: MonotonicInstant) -> Duration { instant - began }

    func host(_ authority: String) -> Host? { hosts[authority] ?? others }

    func note(_ change: (inout OriginLog) -> Void) { change(&log) }

    func awaitsHand(_ transfer: VirtualTransfer) { byHand.append(transfer) }

    func isOver(_ transfer: VirtualTransfer) { transfers[ObjectIdentifier(transfer)] = nil }
}
