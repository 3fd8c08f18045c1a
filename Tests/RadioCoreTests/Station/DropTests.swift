// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

/// What happens after a drop, rule by rule, in virtual time.
@Suite struct DropTests {
    private typealias Machine = ConnectionMachine
    private static let epoch = Machine.epoch
    private let refused = Failure(.refused, "refused", remedy: "")

    /// The reconnects of a station that delivers audio for `life`, of which `news` is new, and is then cut, repeatedly
    /// for `length`.
    private static func connects(
        mirrors: Int = 1, life: Duration, news: Duration? = nil, for length: Duration, finalURLDiffers: Bool = false,
        seed: UInt64 = 1
    ) -> [(at: Duration, delay: Duration, attempt: Machine.Attempt)] {
        var machine = Machine.live(mirrors: mirrors, finalURLDiffers: finalURLDiffers, seed: seed)
        machine.mayHedge = false
        var now = epoch
        var connects: [(at: Duration, delay: Duration, attempt: Machine.Attempt)] = []
        while now - epoch < length {
            let end = now + life
            machine.deliver(news ?? life, end)
            now = end
            var action = machine.ended(.first, nil, now)
            if case .waiting(let until) = machine.state {
                now = until
                action = machine.tick(now)
            }
            guard let attempt = action.connected else { return connects }
            connects.append((now - epoch, now - end, attempt))
            _ = machine.climb(.first, finalURLDiffers: finalURLDiffers && !attempt.viaLastFinalURL, now)
        }
        return connects
    }

    @Test("A station that is cut again and again is reconnected at once each time", arguments: [1, 3, 5, 8, 30, 90])
    func repeatedCuts(seconds: Int) {
        let connects = Self.connects(life: .seconds(seconds), for: .seconds(3_600))
        #expect(connects.count == 3_600 / seconds && connects.allSatisfy { $0.delay == .zero })
    }

    @Test(
        "A45: A station that sends nothing new is tried like one that is away, however long it sends",
        arguments: [0, 1, 3, 8, 90])
    func nothingNew(seconds: Int) {
        let connects = Self.connects(life: .seconds(seconds), news: .zero, for: .seconds(7_200))
        #expect(connects.dropFirst(20).allSatisfy { $0.delay >= .seconds(1.9) })
        #expect(connects.last.map { $0.delay >= .seconds(40) } == true)
    }

    @Test("A45: A station that sends some seconds at once and closes is tried every 2.5 s, for hours")
    func burstsAlone() {
        let connects = Self.connects(life: .zero, news: .seconds(2), for: .seconds(7_200))
        #expect(connects.dropFirst(20).allSatisfy { $0.delay >= .seconds(1.9) && $0.delay <= .seconds(2.8) })
    }

    @Test("A station that closes after one frame is not hammered", arguments: 1...3) func singleFrame(mirrors: Int) {
        let connects = Self.connects(mirrors: mirrors, life: .milliseconds(26), for: .seconds(600))
        #expect(connects.count { $0.at < .seconds(5) } <= 14 + mirrors)
        #expect(connects.dropFirst(20).allSatisfy { $0.delay >= .seconds(1.9) })
        #expect(Set(connects.map(\.attempt.mirror)) == Set(0..<mirrors))
        // The server behind a redirect is not hammered either.
        let redirected = Self.connects(life: .milliseconds(26), for: .seconds(600), finalURLDiffers: true)
        #expect(redirected.dropFirst(20).allSatisfy { $0.delay >= .seconds(1.9) })
    }

    @Test("The preferred mirror is tried at a drop, and good audio is not cut for it") func preferredMirror() {
        var machine = Machine.live(mirrors: 3)
        var now = Self.epoch + .seconds(8)
        machine.deliver(.seconds(8), now)
        #expect(machine.ended(.first, nil, now).connected?.mirror == 0)
        #expect(machine.ended(.first, refused, now).connected?.mirror == 1)
        _ = machine.climb(.first, now)
        machine.mayHedge = false
        for _ in 0..<1_000 {
            now = now + .seconds(9)
            #expect(machine.tick(now) == .none)
            machine.deliver(.seconds(9), now)
        }
        #expect(machine.attempt?.mirror == 1 && machine.ended(.first, nil, now).connected?.mirror == 0)
    }

    @Test("The end of a redirect is tried once, and any failure there causes no wait") func redirectEnd() {
        for failureClass in [Failure.Class.forbidden, .unauthorized, .notFound, .gone, .serverBusy, .refused] {
            var machine = Machine.live(mirrors: 2, finalURLDiffers: true)
            let now = Self.epoch + .seconds(8)
            _ = machine.frames(.first, now)
            #expect(machine.ended(.first, nil, now).connected == .init(number: 2, mirror: 0, viaLastFinalURL: true))
            let failure = Failure(failureClass, "", remedy: "", retryAfter: .seconds(100))
            #expect(
                machine.ended(.first, failure, now).connected == .init(number: 3, mirror: 0, viaLastFinalURL: false))
            #expect(machine.ended(.first, refused, now).connected?.mirror == 1)
        }
    }

    @Test("After a change of network, a station is tried at once, and quickly for a while") func networkChange() throws
    {
        var machine = Machine.live()
        var now = Self.epoch
        var action = machine.ended(.first, nil, now)
        while now - Self.epoch < .seconds(700) {
            if action.connected != nil { action = machine.ended(.first, refused, now) }
            now = try #require(machine.deadline)
            action = machine.tick(now)
        }
        _ = machine.ended(.first, refused, now)
        now = now + .seconds(1)
        #expect(machine.networkChanged(now).connected != nil)
        // While a connection is being made there is nothing to do.
        #expect(machine.networkChanged(now) == .none && machine.ended(.first, refused, now) == .wait)
        #expect(try #require(machine.deadline) - now <= .milliseconds(600))
    }

    @Test("A change of network does not shorten the wait that a server asked for") func heldServer() {
        var machine = Machine(mirrors: 1, giveUp: nil, seed: 1)
        _ = machine.start(Self.epoch)
        let busy = Failure(.serverBusy, "503", remedy: "", retryAfter: .seconds(60))
        #expect(machine.ended(.first, busy, Self.epoch) == .wait)
        #expect(machine.networkChanged(Self.epoch + .seconds(1)) == .none)
        #expect(machine.deadline == Self.epoch + .seconds(60))
    }

    @Test("A server that asks for immediate retries is still retried less and less often", arguments: [0, 1])
    func immediateRetry(seconds: Int) throws {
        let busy = Failure(.serverBusy, "503", remedy: "", retryAfter: .seconds(seconds))
        var machine = Machine(mirrors: 100, giveUp: nil, seed: 1)
        var now = Self.epoch
        var tries = 0
        var lateTries = 0
        var attempt = machine.start(now).connected
        while now - Self.epoch < .seconds(1_800) {
            if attempt == nil {
                now = try #require(machine.deadline)
                attempt = machine.tick(now).connected
            } else {
                now = now + .milliseconds(10)
                tries += 1
                if now - Self.epoch > .seconds(60) { lateTries += 1 }
                attempt = machine.ended(.first, busy, now).connected
            }
        }
        // Each mirror is tried once without a wait. Then, for five seconds, each is tried as often as it asks. After
        // that, one mirror is tried every 2.5 s.
        #expect(tries < 1_500 && lateTries < 800, "\(tries), \(lateTries) late")
    }

    @Test("A refused certificate is checked again after a step of the clock") func clockStep() {
        let expired = Failure(.certificate, "not valid yet", remedy: "")
        var machine = Machine(mirrors: 2, giveUp: nil, seed: 1)
        _ = machine.start(Self.epoch)
        #expect(machine.ended(.first, expired, Self.epoch).connected?.mirror == 1)
        #expect(machine.ended(.first, Failure(.unauthorized, "401", remedy: ""), Self.epoch) == .wait)
        #expect(machine.clockStepped(Self.epoch + .seconds(1)).connected?.mirror == 0)
        #expect(machine.ended(.first, refused, Self.epoch + .seconds(1)) == .wait)
        #expect(machine.clockStepped(Self.epoch + .seconds(1)) == .none)
    }

    @Test("Each step of a connection has its own deadline and its own message") func steps() throws {
        var words: Set<String> = []
        var lengths: [Duration] = []
        for step in Machine.Step.allCases {
            var machine = Machine(mirrors: 1, giveUp: nil, seed: 1)
            machine.mayHedge = false
            let now = Self.epoch
            _ = machine.start(now)
            if step >= .connecting { machine.reached(.connecting, .first, now) }
            if step >= .securing { machine.reached(.securing, .first, now) }
            if step >= .awaitingHead { machine.reached(.awaitingHead, .first, now) }
            if step >= .awaitingFirstByte { machine.accepted(.first, finalURLDiffers: false, now) }
            if step >= .probing { machine.reached(.probing, .first, now) }
            if step >= .live { _ = machine.frames(.first, now) }
            #expect(machine.connection(.first)?.step == step)
            let deadline = try #require(machine.deadline)
            lengths.append(deadline - now)
            #expect(machine.tick(deadline).connected != nil)
            words.insert(try #require(machine.lastFailure).message)
        }
        #expect(lengths == [12, 12, 12, 16, 15, 15, 10].map { Duration.seconds($0) })
        #expect(words.count == Machine.Step.allCases.count)
    }

    @Test("A redirect restarts the steps of a connection, but not after bytes of audio have arrived") func redirect() {
        var machine = Machine(mirrors: 1, giveUp: nil, seed: 1)
        _ = machine.start(Self.epoch)
        machine.reached(.connecting, .first, Self.epoch)
        machine.reached(.awaitingHead, .first, Self.epoch)
        machine.reached(.resolving, .first, Self.epoch + .seconds(10))
        #expect(machine.connection(.first)?.step == .resolving)
        #expect(machine.deadline == Self.epoch + .seconds(22))
        _ = machine.climb(.first, Self.epoch)
        machine.reached(.resolving, .first, Self.epoch)
        #expect(machine.isLive)
    }
}
