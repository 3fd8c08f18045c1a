// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

/// The second connection beside a stalled one, in virtual time.
@Suite struct HedgeTests {
    private typealias Machine = ConnectionMachine
    private static let epoch = Machine.epoch
    private let refused = Failure(.refused, "refused", remedy: "")
    private let forbidden = Failure(.forbidden, "403", remedy: "")

    /// A station that was live for 8 s, then fell silent, and has had its hedge since `now`.
    private static func hedged(
        mirrors: Int = 1, finalURLDiffers: Bool = false
    ) throws -> (machine: Machine, now: MonotonicInstant, hedge: Machine.Attempt) {
        var machine = Machine.live(mirrors: mirrors, finalURLDiffers: finalURLDiffers)
        #expect(machine.frames(.first, epoch + .seconds(8)) == .none)
        let now = try #require(machine.deadline)
        #expect(now == epoch + .seconds(8) + machine.hedgeDelay)
        let hedge = try #require(machine.tick(now).hedged)
        return (machine, now, hedge)
    }

    @Test("A stall opens a second connection while the first stays open") func stallOpensHedge() throws {
        var (machine, now, hedge) = try Self.hedged()
        #expect(hedge == .init(number: 2, mirror: 0, viaLastFinalURL: false))
        #expect(machine.connection(.first)?.attempt.number == 1 && machine.connection(.hedge)?.attempt == hedge)
        #expect(machine.hedges == 1 && machine.reconnects == 0)
        // Once the hedge has delivered anything, the first connection is given up after ten seconds of silence.
        #expect(machine.deadline == now + .seconds(12))
        _ = machine.climb(.hedge, now)
        #expect(machine.deadline == now - machine.hedgeDelay + .seconds(10))
    }

    @Test("A match makes the hedge the first connection") func match() throws {
        var (machine, now, hedge) = try Self.hedged()
        #expect(machine.climb(.hedge, now) == .none && machine.matched(now) == .promote(hedge))
        #expect(machine.connection(.first)?.attempt == hedge && !machine.isHedged && machine.isLive)
        #expect(machine.hedges == 1 && machine.reconnects == 1 && machine.matched(now) == .none)
        // The promoted connection is live and may itself stall.
        #expect(machine.deadline == now + machine.hedgeDelay)
    }

    @Test("If the first connection resumes without a hole, the hedge is closed and nothing else changes")
    func resumed() throws {
        var (machine, now, _) = try Self.hedged()
        _ = machine.climb(.hedge, now)
        #expect(machine.resume(now) == .closeHedge)
        #expect(!machine.isHedged && machine.reconnects == 0 && machine.hedges == 1)
        #expect(machine.connection(.first)?.attempt.number == 1)
        #expect(machine.ended(.hedge, nil, now) == .none)
    }

    @Test("If the first connection resumes with a hole, the hedge stays and may fill it") func resumedWithHole() throws
    {
        var (machine, now, hedge) = try Self.hedged()
        _ = machine.climb(.hedge, now)
        #expect(machine.frames(.first, now) == .none && machine.isHedged && machine.silence(now) == .zero)
        #expect(machine.matched(now) == .promote(hedge))
    }

    @Test("However the first connection ends, the hedge takes its place, at whatever step it is")
    func firstEnds() throws {
        for failure in [nil, refused] {
            var (machine, now, hedge) = try Self.hedged()
            machine.reached(.connecting, .hedge, now)
            #expect(machine.ended(.first, failure, now) == .promote(hedge))
            #expect(machine.connection(.first)?.step == .connecting && machine.reconnects == 0)
            #expect(machine.climb(.first, now) == .none && machine.reconnects == 1)
        }
    }

    @Test("An unmatched hedge takes over once the first connection was silent for ten seconds") func unmatched() throws
    {
        var (machine, now, hedge) = try Self.hedged()
        _ = machine.climb(.hedge, now)
        _ = machine.frames(.hedge, Self.epoch + .seconds(17))
        now = try #require(machine.deadline)
        #expect(now == Self.epoch + .seconds(18))
        #expect(machine.tick(now) == .promote(hedge))
        #expect(machine.lastFailure?.message == "the station stopped sending audio")
        #expect(machine.reconnects == 1)
    }

    /// A station that was live for 8 s and was then cut, and whose reconnect has hung until `now`.
    private static func returning(mirrors: Int = 1) throws -> (machine: Machine, now: MonotonicInstant) {
        var machine = Machine.live(mirrors: mirrors)
        machine.deliver(.seconds(8), epoch + .seconds(8))
        #expect(machine.ended(.first, nil, epoch + .seconds(8)).connected?.mirror == 0)
        let now = try #require(machine.deadline)
        #expect(now == epoch + .milliseconds(10_500))
        #expect(machine.isSilent(now) && machine.shouldDeliver)
        return (machine, now)
    }

    @Test("A reconnect that hangs gets a second connection beside it, and the first to deliver audio stays")
    func hangingReconnect() throws {
        var (machine, now) = try Self.returning()
        let hedge = try #require(machine.tick(now).hedged)
        #expect(hedge.mirror == 0 && !hedge.viaLastFinalURL)
        var slow = machine
        #expect(machine.climb(.hedge, now) == .promote(hedge))
        #expect(machine.isLive && machine.reconnects == 1 && machine.hedges == 1)
        #expect(slow.climb(.first, now) == .none && slow.recovered() == .closeHedge)
        #expect(slow.isLive && slow.reconnects == 1)
    }

    @Test("A hedge that fails leaves the hanging reconnect open and is followed by another hedge")
    func failedHedge() throws {
        var (machine, now) = try Self.returning()
        _ = machine.tick(now)
        #expect(machine.ended(.hedge, refused, now) == .closeHedge)
        now = try #require(machine.deadline)
        #expect(now == Self.epoch + .seconds(13))
        #expect(machine.tick(now).hedged?.number == 4 && machine.connection(.first)?.attempt.number == 2)
        // A first connection that hangs for good is replaced by the hedge.
        now = Self.epoch + .seconds(20)
        #expect(machine.tick(now).isPromotion && machine.lastFailure?.message.contains("looking up") == true)
    }

    @Test("Connections that hang one after the other become fewer and fewer", arguments: [1, 2])
    func hangingConnections(mirrors: Int) throws {
        var (machine, now) = try Self.returning(mirrors: mirrors)
        var opened: [MonotonicInstant] = []
        while now - Self.epoch < .seconds(3_600) {
            now = try #require(machine.deadline)
            let action = machine.tick(now)
            if action.hedged != nil || action.connected != nil { opened.append(now) }
        }
        // Two attempts of 12 s each run at a time. They are followed by a wait that grows to a minute.
        let late = opened.count { $0 - Self.epoch > .seconds(1_800) }
        #expect(opened.count < 300 && late < 120, "\(opened.count), \(late) late")
    }

    @Test("Before any audio was delivered, a second connection goes to another mirror only") func beforeAudio() throws {
        var machine = Machine(mirrors: 1, giveUp: nil, seed: 1)
        _ = machine.start(Self.epoch)
        #expect(machine.deadline == Self.epoch + .seconds(12))
        #expect(machine.tick(Self.epoch + .seconds(12)).connected?.mirror == 0)
        machine = Machine(mirrors: 2, giveUp: nil, seed: 1)
        _ = machine.start(Self.epoch)
        let now = try #require(machine.deadline)
        #expect(now == Self.epoch + .milliseconds(2_500))
        let hedge = try #require(machine.tick(now).hedged)
        #expect(hedge.mirror == 1)
        #expect(machine.climb(.hedge, now) == .promote(hedge))
        #expect(machine.reconnects == 0 && machine.hedges == 1)
    }

    @Test("A mirror that hung is tried last for ten minutes, after drops and after stalls") func hungMirror() throws {
        var (machine, now) = try Self.returning(mirrors: 2)
        let hedge = try #require(machine.tick(now).hedged)
        #expect(hedge.mirror == 1)
        #expect(machine.climb(.hedge, now) == .promote(hedge))
        for _ in 0..<30 {
            now = now + .seconds(8)
            machine.deliver(.seconds(8), now)
            #expect(machine.ended(.first, nil, now).connected?.mirror == 1)
            _ = machine.climb(.first, now)
        }
        var stalled = machine
        #expect(stalled.tick(try #require(stalled.deadline)).hedged?.mirror == 1)
        // By now the mirror may work again.
        now = Self.epoch + .seconds(620)
        machine.deliver(.seconds(372), now)
        stalled = machine
        #expect(stalled.tick(try #require(stalled.deadline)).hedged?.mirror == 0)
        #expect(machine.ended(.first, nil, now).connected?.mirror == 0)
    }

    @Test(
        "A mirror that hung is skipped while another keeps the programme going, however short its connections are",
        arguments: [(3_000, 1), (1_000, 1), (100, 0)])
    func hungMirrorSkipped(milliseconds: Int, next: Int) throws {
        var (machine, now) = try Self.returning(mirrors: 2)
        _ = machine.tick(now)
        _ = machine.climb(.hedge, now)
        // None of this counts as good audio yet, and each mirror has been tried.
        for _ in 0..<4 {
            now = now + .milliseconds(milliseconds)
            machine.deliver(.milliseconds(milliseconds), now)
            var action = machine.ended(.first, nil, now)
            if action == .wait {
                now = try #require(machine.deadline)
                action = machine.tick(now)
            }
            let mirror = try #require(action.connected?.mirror)
            #expect(mirror == next)
            if mirror == 0 { return }
            _ = machine.climb(.first, now)
        }
    }

    @Test("A mirror that hung is tried in its turn if no other is left") func onlyHungMirror() throws {
        var (machine, now) = try Self.returning(mirrors: 2)
        _ = machine.tick(now)
        _ = machine.climb(.hedge, now)
        now = now + .seconds(8)
        machine.deliver(.seconds(8), now)
        #expect(machine.ended(.first, nil, now).connected?.mirror == 1)
        #expect(machine.ended(.first, refused, now).connected?.mirror == 0)
    }

    @Test("The Retry-After of a hanging reconnect is obeyed although there is a hedge") func busyReconnect() throws {
        var (machine, now) = try Self.returning()
        let hedge = try #require(machine.tick(now).hedged)
        let busy = Failure(.serverBusy, "503", remedy: "", retryAfter: .seconds(60))
        #expect(machine.ended(.first, busy, now) == .promote(hedge))
        // The promoted hedge hangs as well, and no third connection is opened.
        #expect(machine.tick(try #require(machine.deadline)) == .wait)
        #expect(machine.deadline == now + .seconds(60))
    }

    @Test(
        "A21: After a refused hedge, the first connection keeps its ten seconds, with no hedge for ten minutes",
        arguments: [Failure.Class.refused, .forbidden, .serverBusy, .dropped, .notAudio, nil])
    func refusal(_ failureClass: Failure.Class?) throws {
        var (machine, now, hedge) = try Self.hedged()
        let failure = failureClass.map { Failure($0, "no", remedy: "") }
        #expect(machine.ended(.hedge, failure, now) == .closeHedge)
        #expect(machine.isLive && !machine.isHedged && machine.attempt?.number == 1)
        var left = machine
        while left.attempt?.number == 1, !left.isHedged { _ = left.tick(try #require(left.deadline)) }
        #expect(!left.isHedged && left.hedges == 1 && left.attempt?.number == hedge.number + 1)
        // The first connection delivers again, and stalls again and again.
        for _ in 0..<60 {
            now = now + .seconds(9)
            #expect(machine.tick(now) == .none && machine.frames(.first, now) == .none)
        }
        #expect(machine.hedges == 1)
        now = Self.epoch + .seconds(620)
        _ = machine.frames(.first, now)
        #expect(machine.tick(now + machine.hedgeDelay).hedged?.mirror == 0)
    }

    @Test("A21: If one address refuses a hedge, another address gets it at once")
    func refusalElsewhere() throws {
        var (machine, now, hedge) = try Self.hedged(mirrors: 2)
        #expect(hedge.mirror == 1)
        #expect(machine.ended(.hedge, refused, now) == .closeHedge && machine.deadline == now)
        #expect(machine.tick(now).hedged?.mirror == 0)
        #expect(machine.ended(.hedge, forbidden, now) == .closeHedge)
        // Neither address gets another hedge, and the first connection stays.
        while now < Self.epoch + .seconds(17) {
            now = try #require(machine.deadline)
            #expect(machine.tick(now) == (now < Self.epoch + .seconds(18) ? .none : .connect(machine.attempt!)))
        }
        #expect(machine.hedges == 2)
    }

    @Test("A21: A hedge that fails on its way is tried again when the silence is twice as long")
    func failureOnTheWay() throws {
        var (machine, now, _) = try Self.hedged()
        #expect(machine.ended(.hedge, Failure(.unreachable, "no route", remedy: ""), now) == .closeHedge)
        now = Self.epoch + .seconds(8) + machine.hedgeDelay * 2
        #expect(machine.deadline == now && machine.tick(now).hedged?.mirror == 0)
    }

    @Test("A22: A hedge without audio never replaces a live connection, however long that is silent")
    func tie() throws {
        var (machine, now, hedge) = try Self.hedged()
        machine.reached(.connecting, .hedge, now)
        machine.reached(.awaitingHead, .hedge, now)
        machine.accepted(.hedge, finalURLDiffers: false, now)
        now = Self.epoch + .seconds(20)
        #expect(machine.tick(now) == .none)
        // Both connections deliver at once: the first one stays, in whichever order their frames arrive.
        var late = machine
        #expect(machine.resume(now) == .closeHedge)
        #expect(late.frames(.hedge, now) == .none && late.tick(now) == .none)
        #expect(late.resume(now + .milliseconds(20)) == .closeHedge)
        // If only the hedge delivers, it is promoted.
        (machine, now, hedge) = try Self.hedged()
        machine.accepted(.hedge, finalURLDiffers: false, now)
        now = Self.epoch + .seconds(19)
        #expect(machine.frames(.hedge, now) == .none)
        now = try #require(machine.deadline)
        #expect(machine.tick(now) == .promote(hedge))
    }

    @Test("The Retry-After of a hedge's server does not bind the first connection") func busyHedge() throws {
        let busy = Failure(.serverBusy, "503", remedy: "", retryAfter: .seconds(60))
        // A server with a single address may refuse two simultaneous connections, and still accept one.
        var (machine, now, _) = try Self.hedged()
        #expect(machine.ended(.hedge, busy, now) == .closeHedge)
        #expect(machine.ended(.first, nil, now).connected?.mirror == 0)
        // With two addresses, the busy address is left alone.
        (machine, now, _) = try Self.hedged(mirrors: 2)
        #expect(machine.ended(.hedge, busy, now) == .closeHedge)
        #expect(machine.ended(.first, nil, now).connected?.mirror == 0)
        #expect(machine.ended(.first, refused, now) == .wait)
        #expect(machine.tick(try #require(machine.deadline)).connected?.mirror == 0)
    }

    @Test("A hedge that hangs counts as failed") func hangingHedge() throws {
        var limits = Machine.Limits()
        limits.resolve = .seconds(1)
        var machine = Machine(mirrors: 1, giveUp: nil, seed: 1, limits: limits)
        _ = machine.start(Self.epoch)
        _ = machine.climb(.first, Self.epoch)
        _ = machine.frames(.first, Self.epoch + .seconds(8))
        _ = machine.tick(try #require(machine.deadline))
        let now = try #require(machine.deadline)
        #expect(machine.tick(now) == .closeHedge)
        #expect(machine.lastFailure?.message.contains("looking up the address") == true)
    }

    @Test("A hedge goes to the next mirror that may be tried, or else to the end of the redirects")
    func hedgeTarget() throws {
        #expect(try Self.hedged(mirrors: 2).hedge.mirror == 1)
        #expect(try !Self.hedged(mirrors: 2, finalURLDiffers: true).hedge.viaLastFinalURL)
        var (machine, now, hedge) = try Self.hedged(finalURLDiffers: true)
        #expect(hedge.mirror == 0 && hedge.viaLastFinalURL)
        // An expired token causes no wait and does not end the first connection.
        let second = try #require(machine.ended(.hedge, forbidden, now).hedged)
        #expect(!second.viaLastFinalURL && second.mirror == 0 && machine.connection(.first) != nil)
        #expect(machine.ended(.hedge, forbidden, now) == .closeHedge)
    }

    @Test("Mirrors that ask to be left alone get no hedge") func heldMirrors() throws {
        var machine = Machine(mirrors: 2, giveUp: nil, seed: 1)
        _ = machine.start(Self.epoch)
        _ = machine.ended(.first, Failure(.unauthorized, "401", remedy: ""), Self.epoch)
        _ = machine.climb(.first, Self.epoch)
        let now = try #require(machine.deadline)
        #expect(machine.tick(now).hedged?.mirror == 1)
    }

    @Test("A hedge that receives a playlist continues with its entries") func playlist() throws {
        var (machine, now, _) = try Self.hedged(mirrors: 2)
        machine.accepted(.hedge, finalURLDiffers: false, now)
        let entry = try #require(machine.follow(.hedge, mirrors: 4, now).hedged)
        #expect(entry.mirror == 1 && machine.attempt?.mirror == 0)
        // Entries inserted before the first connection's address move that address.
        machine = Machine(mirrors: 2, giveUp: nil, seed: 1)
        _ = machine.start(Self.epoch)
        #expect(machine.ended(.first, refused, Self.epoch).connected?.mirror == 1)
        _ = machine.climb(.first, Self.epoch)
        now = try #require(machine.deadline)
        #expect(machine.tick(now).hedged?.mirror == 0)
        #expect(machine.follow(.hedge, mirrors: 6, now).hedged?.mirror == 0)
        #expect(machine.attempt?.mirror == 5)
    }

    @Test("A file, or a station that must not be hedged, gets no hedge and stalls after ten seconds")
    func noHedge() throws {
        var file = Machine.live(isPinned: true)
        #expect(file.deadline == Self.epoch + .seconds(10))
        #expect(file.tick(Self.epoch + .seconds(10)).connected != nil)
        var machine = Machine.live()
        machine.mayHedge = false
        #expect(machine.deadline == Self.epoch + .seconds(10))
        #expect(machine.tick(Self.epoch + .seconds(10)).connected != nil && machine.hedges == 0)
    }

    @Test("If too many stations stall together, a hedge is requested again and again until the reconnect")
    func manyStalls() throws {
        var machine = Machine.live()
        var now = try #require(machine.deadline)
        var asked = 0
        var action = machine.tick(now, hedgeAllowed: false)
        while action == .none {
            asked += 1
            let next = try #require(machine.deadline)
            #expect(next > now && next - now <= .milliseconds(500))
            now = next
            action = machine.tick(now, hedgeAllowed: false)
        }
        #expect(asked == 15)
        #expect(now == Self.epoch + .seconds(10) && action.connected != nil)
        // A hedge is opened as soon as it is allowed.
        machine = .live()
        now = try #require(machine.deadline)
        #expect(machine.tick(now, hedgeAllowed: false) == .none)
        #expect(machine.tick(now + .milliseconds(500)).hedged != nil)
    }

    @Test("The hedge delay follows the measured burst and pauses") func measuredDelay() throws {
        var machine = Machine.live()
        machine.measured(burst: .milliseconds(1_600), pause: nil)
        #expect(machine.deadline == Self.epoch + .milliseconds(800))
        machine.measured(burst: nil, pause: .milliseconds(400))
        #expect(machine.deadline == Self.epoch + .milliseconds(1_600))
        #expect(!machine.isSilent(Self.epoch + .milliseconds(799)))
        #expect(machine.isSilent(Self.epoch + .milliseconds(800)))
    }

    @Test("Pauses of the process itself are no stall") func processPause() throws {
        var machine = Machine.live()
        _ = machine.frames(.first, Self.epoch + .seconds(8))
        // The process was stopped for a minute, so the sockets are read first.
        var now = Self.epoch + .seconds(70)
        #expect(machine.tick(now) == .none)
        let deadline = try #require(machine.deadline)
        #expect(deadline == now + .seconds(1))
        // Nothing has arrived, so this is a stall, but not one of a minute.
        #expect(machine.tick(deadline).hedged != nil && machine.connection(.first) != nil)
        // Lateness is excused only once in a row, because a loop that is always late must decide in the end.
        machine = .live()
        now = try #require(machine.deadline) + .seconds(1)
        #expect(machine.tick(now) == .none)
        now = try #require(machine.deadline) + .seconds(1)
        #expect(machine.tick(now).hedged != nil)
    }
}
