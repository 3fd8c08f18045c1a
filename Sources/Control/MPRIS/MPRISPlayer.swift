// SPDX-License-Identifier: MIT

package import EventLoop
import Glibc
import Instants
import Platform

/// A player on the session's D-Bus, visible to media keys, widgets and `playerctl`.
///
/// If there is no session, no libsystemd or no bus, the player does nothing, and reports no error. If the connection to
/// the bus is lost, the player tries to connect again, at growing intervals. Finding the session and opening the
/// library may wait for a disk, so both happen on a separate thread before the first attempt.
package final class MPRISPlayer {
    /// The name owned on the bus; nil while no name is owned.
    package private(set) var name: String?

    private let reactor: any Reactor
    /// The address of the bus; nil until the session has been found.
    private var address: String?
    private let onRequest: (MPRISRequest) -> Void
    private var state = MPRISState()
    /// The number of the current track; 0 if there is none.
    private var track = 0
    private var tracks = 0

    private var connection: BusConnection?
    private var retry: (any ReactorTimer)?
    private let firstPause: Duration
    private var pause: Duration

    /// The properties last sent.
    private var told: [BusEntry] = []
    private var hasJumped = false
    private var announcing: (any ReactorTimer)?
    private var announcements = TokenBucket(size: 4, interval: .milliseconds(500))
    private var requests = TokenBucket(size: 50, interval: .milliseconds(20))

    private static let longestPause = Duration.seconds(600)
    /// No signal is emitted while this many messages are unsent.
    private static let mostUnsent = 16

    /// Connects to the session's bus, whose address `findBus` returns on another thread. `onRequest` is called on the
    /// loop, never inside a call to this player; it may do anything. `pause` is the delay before the first reconnect;
    /// it doubles up to ten minutes.
    package init(
        reactor: any Reactor, findBus: @escaping @Sendable () -> String? = { BusAddress.ofSession() },
        pause: Duration = .seconds(30), onRequest: @escaping (MPRISRequest) -> Void
    ) {
        self.reactor = reactor
        self.onRequest = onRequest
        (firstPause, self.pause) = (pause, pause)
        retry = reactor.makeTimer { [unowned self] in connect() }
        announcing = reactor.makeTimer { [unowned self] in announce() }
        prepare(findBus)
    }

    /// Publishes `new`. Signals of changes are sent in bursts of at most four, and at most twice a second on average.
    package func update(_ new: MPRISState) {
        guard new != state else { return }
        let isNothing = new.title == nil && new.station == nil && new.url == nil
        if isNothing {
            track = 0
        } else if track == 0 || new.isOtherTrack(than: state) {
            tracks += 1
            track = tracks
        }
        hasJumped = hasJumped || new.hasJumped(since: state, at: reactor.now)
        state = new
        announce()
    }

    /// Leaves the bus for good. Idempotent.
    package func close() {
        connection?.close()
        (connection, name) = (nil, nil)
        (retry, announcing) = (nil, nil)
    }

    // MARK: The bus

    /// Finds the bus on a separate thread. If the thread cannot be started, the player stays off the bus.
    private func prepare(_ findBus: @escaping @Sendable () -> String?) {
        let bound = reactor.bind(self)
        _ = try? WorkerThread.start(name: "desktop") {
            guard let address = findBus(), BusConnection.fault == nil else { return }
            bound.tell { player in
                player.address = address
                player.connect()
            }
        }
    }

    private func connect() {
        guard let address, retry != nil else { return }
        let handlers = BusConnection.Handlers(
            onCall: { [unowned self] in answer($0) }, onName: { [unowned self] in named($0) },
            onEnd: { [unowned self] in ended() })
        connection = BusConnection(
            reactor: reactor, address: address, object: MPRISNames.object, handlers: handlers)
        asked = MPRISNames.service
        connection?.requestName(asked)
        if connection == nil { ended() }
    }

    /// The name last requested.
    private var asked = MPRISNames.service

    private func named(_ isOurs: Bool) {
        if isOurs {
            name = asked
            pause = firstPause
            told = MPRISProperties.player(state, track: track)
            hasJumped = false
        } else if asked == MPRISNames.service {
            asked = MPRISNames.service(ofProcess: getpid())
            connection?.requestName(asked)
        }
    }

    private func ended() {
        (connection, name) = (nil, nil)
        retry?.arm(at: reactor.now + pause)
        pause = min(pause * 2, Self.longestPause)
    }

    private func answer(_ call: BusCall) -> Result<[BusValue], BusRefusal> {
        do throws(BusRefusal) {
            let now = reactor.now
            let answer = try MPRISService(state, track: track, now: now).answer(call)
            if let request = answer.request {
                guard requests.take(at: now) == nil else {
                    throw BusRefusal(.limitsExceeded, "too many requests at once")
                }
                reactor.defer { [weak self] in self?.onRequest(request) }
            }
            return .success(answer.values)
        } catch {
            return .failure(error)
        }
    }

    // MARK: Signals

    private func announce() {
        guard let connection, name != nil, let announcing, !announcing.isArmed else { return }
        let now = reactor.now
        let current = MPRISProperties.player(state, track: track)
        let (changed, gone) = MPRISProperties.changes(from: told, to: current)
        let hasChanges = !changed.isEmpty || !gone.isEmpty
        guard hasChanges || hasJumped else { return }
        if let next = announcements.take(at: now) { return announcing.arm(at: next) }
        guard connection.unsent < Self.mostUnsent else { return announcing.arm(at: now + .seconds(1)) }
        if hasChanges {
            connection.emit(
                MPRISNames.properties, "PropertiesChanged",
                [.string(MPRISNames.player), .dictionary(changed), .strings(gone)])
        }
        if hasJumped {
            let position = MPRISProperties.position(state, at: now)
            connection.emit(MPRISNames.player, "Seeked", [position.value])
        }
        told = current
        hasJumped = false
    }
}
