// SPDX-License-Identifier: MIT

package import CurlClient
package import EventLoop
import Instants

/// Servers in virtual time, in the place of curl: what a ``LiveScript`` says reaches the delegate without a socket.
///
///     let reactor = ManualReactor()
///     let origin = VirtualOrigin(LiveScript(.stream(LiveStream(programme))), reactor: reactor)
///     let station = Station(settings: .init(urls: ["http://radio.test/live"]), client: origin, reactor: reactor)
///     station.start()
///     reactor.advance(by: .seconds(45))
///     #expect(origin.log.accepts.count == 5)
///
/// Body bytes come in blocks of at most 1,400 bytes. Nothing is called back inside `start` or any other call. What the
/// delegate hears, and in which order, is as with curl; errors have the code that curl's would have.
package final class VirtualOrigin: HTTPClient {
    package private(set) var log = OriginLog()
    /// How long a name takes to resolve.
    package var resolveLatency = Duration.milliseconds(1)
    /// How long a connection takes to come about, or to be refused; longer than the request's deadline, it is a black
    /// hole. All three may be changed at any time.
    package var connectLatency = Duration.milliseconds(5)
    /// How long an answer takes after the request.
    package var answerLatency = Duration.milliseconds(5)

    let reactor: any Reactor
    private let began: MonotonicInstant
    private let hosts: [String: Host]
    private let others: Host?
    private var transfers: [ObjectIdentifier: VirtualTransfer] = [:]

    final class Host {
        let name: String
        let script: LiveScript
        private(set) var visits = 0

        init(_ name: String, _ script: LiveScript) {
            (self.name, self.script) = (name, script)
        }

        func nextVisit() -> Int {
            defer { visits += 1 }
            return visits
        }
    }

    /// One server, whatever the host of a URL; it begins now.
    package init(_ script: LiveScript, reactor: any Reactor) {
        self.reactor = reactor
        began = reactor.now
        hosts = [:]
        others = Host("", script)
    }

    /// Several servers by their hosts, with the port where the URL has one; other names have no address. All begin now.
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

    /// How long the programme of a server has been on air.
    package func programmeTime(onAir: Duration = .seconds(40)) -> Duration { onAir + elapsed }

    /// How many transfers are under way, connected or not.
    package var transfersUnderWay: Int { transfers.count }

    // MARK: For the transfers

    var elapsed: Duration { elapsed(at: reactor.now) }

    func elapsed(at instant: MonotonicInstant) -> Duration { instant - began }

    func host(_ authority: String) -> Host? { hosts[authority] ?? others }

    func note(_ change: (inout OriginLog) -> Void) { change(&log) }

    func isOver(_ transfer: VirtualTransfer) { transfers[ObjectIdentifier(transfer)] = nil }
}
