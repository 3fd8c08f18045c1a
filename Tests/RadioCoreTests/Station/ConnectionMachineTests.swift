// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

/// The connection machine on its own, in virtual time.
@Suite struct ConnectionMachineTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)
    private let refused = Failure(.refused, "refused", remedy: "try later")

    @Test("A good station goes through every state to live") func goodStation() {
        var machine = ConnectionMachine(mirrors: 1, giveUp: nil, seed: 1)
        var now = Self.start
        #expect(machine.start(now) == .connect(.init(number: 1, mirror: 0, viaLastFinalURL: false)))
        machine.reached(.connecting, .first, now)
        machine.reached(.awaitingHead, .first, now)
        machine.accepted(.first, finalURLDiffers: false, now)
        machine.reached(.probing, .first, now)
        #expect(machine.connection(.first)?.step == .probing)
        _ = machine.frames(.first, now)
        #expect(machine.isLive)
        now = now + .seconds(9)
        _ = machine.frames(.first, now)
        #expect(machine.deadline == now + .milliseconds(2_500))
        machine.mayHedge = false
        #expect(machine.deadline == now + .seconds(10))
    }

    @Test("A dropped connection is reopened at once, then soon, then calmly") func drop() {
        var machine = ConnectionMachine.live(mirrors: 1)
        var now = Self.start
        guard case .connect = machine.ended(.first, nil, now) else { return #expect(Bool(false)) }
        var delays: [Duration] = []
        for _ in 0..<40 {
            #expect(machine.ended(.first, refused, now) == .wait)
            guard case .waiting(let until) = machine.state else { return #expect(Bool(false)) }
            delays.append(until - now)
            now = until
            guard case .connect = machine.tick(now) else { return #expect(Bool(false)) }
        }
        let quick = delays.prefix(8)
        #expect(quick.allSatisfy { $0 >= .milliseconds(400) && $0 <= .milliseconds(600) }, "\(delays)")
        #expect(delays.dropFirst(14).allSatisfy { $0 >= .seconds(2) && $0 <= .seconds(2.8) }, "\(delays)")
    }

    @Test("The end of a redirect is tried once, and its refusal causes no wait") func redirectEnd() {
        var machine = ConnectionMachine.live(mirrors: 1, finalURLDiffers: true)
        guard case .connect(let quick) = machine.ended(.first, nil, Self.start) else { return #expect(Bool(false)) }
        #expect(quick.viaLastFinalURL)
        let gone = Failure(.forbidden, "403", remedy: "")
        guard case .connect(let second) = machine.ended(.first, gone, Self.start) else { return #expect(Bool(false)) }
        #expect(!second.viaLastFinalURL)
    }

    @Test("Every mirror is tried at once before the machine waits") func allMirrors() {
        var machine = ConnectionMachine(mirrors: 3, giveUp: nil, seed: 1)
        _ = machine.start(Self.start)
        var tried = [0]
        while case .connect(let attempt) = machine.ended(.first, refused, Self.start) { tried.append(attempt.mirror) }
        #expect(Set(tried) == [0, 1, 2])
        guard case .waiting = machine.state else { return #expect(Bool(false), "\(machine.state)") }
    }

    @Test("A station that needs a person is retried every five minutes, and Retry-After is obeyed") func needsPerson() {
        var machine = ConnectionMachine(mirrors: 1, giveUp: nil, seed: 1)
        _ = machine.start(Self.start)
        #expect(machine.ended(.first, Failure(.unauthorized, "401", remedy: ""), Self.start) == .wait)
        #expect(machine.deadline == Self.start + .seconds(300))
        _ = machine.tick(Self.start + .seconds(300))
        let asked = Failure(.serverBusy, "503", remedy: "", retryAfter: .seconds(3))
        #expect(machine.ended(.first, asked, Self.start + .seconds(300)) == .wait)
        #expect(machine.deadline == Self.start + .seconds(303))
    }

    @Test("A mirror that asks to be left alone delays no other mirror") func heldMirror() {
        var machine = ConnectionMachine(mirrors: 3, giveUp: .seconds(60), seed: 1)
        var now = Self.start
        _ = machine.start(now)
        #expect(Self.mirror(machine.ended(.first, Failure(.unauthorized, "401", remedy: ""), now)) == 1)
        let asked = Failure(.serverBusy, "503", remedy: "", retryAfter: .seconds(30))
        #expect(Self.mirror(machine.ended(.first, asked, now)) == 2)
        for _ in 0..<20 where now < Self.start + .seconds(20) {
            #expect(machine.ended(.first, refused, now) == .wait)
            now = machine.deadline ?? now
            #expect(Self.mirror(machine.tick(now)) == 2)
        }
        // By then the second mirror is due.
        now = Self.start + .seconds(30)
        #expect(Self.mirror(machine.ended(.first, refused, now)) == 1)
    }

    @Test("If every mirror asks to be left alone, the shortest of the times counts") func allHeld() {
        var machine = ConnectionMachine(mirrors: 2, giveUp: nil, seed: 1)
        _ = machine.start(Self.start)
        _ = machine.ended(.first, Failure(.certificate, "bad", remedy: ""), Self.start)
        let asked = Failure(.serverBusy, "503", remedy: "", retryAfter: .seconds(30))
        #expect(machine.ended(.first, asked, Self.start) == .wait)
        #expect(machine.deadline == Self.start + .seconds(30))
        #expect(Self.mirror(machine.tick(Self.start + .seconds(30))) == 1)
    }

    @Test("A mistake in an address stops a station that never delivered audio, and no other station")
    func invalidAddress() {
        let wrong = Failure(.usage, "bad URL", remedy: "")
        var machine = ConnectionMachine(mirrors: 1, giveUp: nil, seed: 1)
        _ = machine.start(Self.start)
        #expect(machine.ended(.first, wrong, Self.start) == .stop(.gaveUp(wrong)))
        machine = ConnectionMachine.live(mirrors: 1)
        _ = machine.ended(.first, nil, Self.start)
        #expect(machine.ended(.first, wrong, Self.start) == .wait)
    }

    /// Checks the machine's choices of mirrors: no mirror is tried before its time, none is forgotten, and the machine
    /// waits only after all of them were tried.
    @Test("Mirrors are tried as soon as they may be, and never earlier", arguments: 0..<100)
    func mirrorOracle(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 1...5, using: &random)
        var machine = ConnectionMachine(mirrors: count, giveUp: nil, seed: seed)
        var now = Self.start
        var heldUntil = [MonotonicInstant](repeating: now, count: count)
        var tried: Set<Int> = []
        var action = machine.start(now)
        for _ in 0..<200 {
            switch action {
            case .connect(let attempt):
                #expect(heldUntil[attempt.mirror] <= now)
                tried.insert(attempt.mirror)
                let failure = Self.failures.randomElement(using: &random) ?? nil
                if let failure, failure.failureClass.needsPerson {
                    heldUntil[attempt.mirror] = now + .seconds(300)
                } else if failure?.retryAfter != nil {
                    heldUntil[attempt.mirror] = now + .seconds(600)
                }
                action = machine.ended(.first, failure, now)
            case .wait:
                #expect(tried.count == count, "\(tried) of \(count)")
                guard let deadline = machine.deadline else { return #expect(Bool(false), "no way out") }
                #expect(deadline > now)
                #expect(heldUntil.allSatisfy { $0 <= now || deadline <= $0 })
                if heldUntil.contains(where: { $0 <= now }) { #expect(deadline <= now + .seconds(72)) }
                now = deadline
                action = machine.tick(now)
            case .none, .stop, .openHedge, .closeHedge, .promote:
                return #expect(Bool(false), "\(action)")
            }
        }
    }

    @Test("A command gives up after its time without a frame, or at once if the wait would be longer") func giveUp() {
        var machine = ConnectionMachine(mirrors: 1, giveUp: .seconds(60), seed: 1)
        _ = machine.start(Self.start)
        let denied = Failure(.unauthorized, "401", remedy: "")
        #expect(machine.ended(.first, denied, Self.start) == .stop(.gaveUp(denied)))

        machine = ConnectionMachine(mirrors: 1, giveUp: .seconds(5), seed: 1)
        _ = machine.start(Self.start)
        machine.reached(.awaitingHead, .first, Self.start)
        guard case .stop(.gaveUp) = machine.tick(Self.start + .seconds(5)) else { return #expect(Bool(false)) }
    }

    private let hls = Failure(.unsupported, "HLS", remedy: "look for another address")

    @Test("A command gives up at once if no mirror has audio that can be recorded") func unsupported() {
        var machine = ConnectionMachine(mirrors: 2, giveUp: .seconds(60), seed: 1)
        _ = machine.start(Self.start)
        #expect(Self.mirror(machine.ended(.first, hls, Self.start)) == 1)
        var now = Self.start
        var action = machine.ended(.first, refused, now)
        for _ in 0..<10 where action.connected?.mirror != 1 {
            if action == .wait {
                now = machine.deadline ?? now
                action = machine.tick(now)
            } else {
                action = machine.ended(.first, hls, now)
            }
        }
        // The second mirror answers again, and still offers only HLS.
        #expect(machine.attempt?.mirror == 1 && machine.ended(.first, hls, now) == .stop(.gaveUp(hls)))

        // If a playlist leads to several mirrors, each of them is tried.
        machine = ConnectionMachine(mirrors: 1, giveUp: .seconds(60), seed: 1)
        _ = machine.start(Self.start)
        _ = machine.follow(.first, mirrors: 2, Self.start)
        #expect(Self.mirror(machine.ended(.first, hls, Self.start)) == 1)
        #expect(machine.ended(.first, hls, Self.start) == .stop(.gaveUp(hls)))
    }

    @Test("Unsupported audio stops neither a permanent use nor a station that was live") func permanentUse() {
        var machine = ConnectionMachine(mirrors: 1, giveUp: nil, seed: 1)
        _ = machine.start(Self.start)
        guard case .connect = machine.ended(.first, hls, Self.start) else { return #expect(Bool(false)) }
        machine = ConnectionMachine.live(mirrors: 1, giveUp: .seconds(60))
        _ = machine.ended(.first, nil, Self.start)
        #expect(machine.ended(.first, hls, Self.start) == .wait)
    }

    @Test("A station that once delivered audio is never given up") func neverGivesUp() {
        var machine = ConnectionMachine.live(mirrors: 1, giveUp: .seconds(5))
        var now = Self.start
        _ = machine.ended(.first, nil, now)
        for _ in 0..<500 {
            if machine.attempt == nil { now = machine.deadline ?? now } else { now = now + .seconds(1) }
            if machine.attempt == nil { _ = machine.tick(now) } else { _ = machine.ended(.first, refused, now) }
            if case .stopped = machine.state { return #expect(Bool(false), "stopped") }
        }
    }

    @Test("A stalled station is reconnected, a paused file is not") func stall() {
        var machine = ConnectionMachine.live(mirrors: 1)
        machine.mayHedge = false
        #expect(machine.tick(Self.start + .seconds(9)) == .none)
        guard case .connect = machine.tick(Self.start + .seconds(10)) else { return #expect(Bool(false)) }
        #expect(machine.lastFailure?.failureClass == .dropped)
        machine = ConnectionMachine.live(mirrors: 1, isPinned: true)
        machine.paused(true, Self.start)
        #expect(machine.deadline == nil)
    }

    @Test("A paused file has no deadline while it reconnects either") func pausedFile() {
        var machine = ConnectionMachine.live(mirrors: 1, isPinned: true)
        machine.paused(true, Self.start)
        guard case .connect = machine.ended(.first, refused, Self.start) else { return #expect(Bool(false)) }
        machine.reached(.awaitingHead, .first, Self.start)
        #expect(machine.deadline == nil)
        machine.paused(false, Self.start + .seconds(100))
        #expect(machine.deadline == Self.start + .seconds(116))
    }

    @Test("A file is given up if no more of it arrives in time, counted from the last frame") func lostFile() {
        var machine = ConnectionMachine.live(mirrors: 1, giveUp: .seconds(20), isPinned: true)
        var now = Self.start + .seconds(1_000)
        guard case .connect = machine.ended(.first, refused, now) else { return #expect(Bool(false)) }
        now = now + .seconds(15)
        machine.reached(.awaitingHead, .first, now)
        _ = machine.frames(.first, now)
        #expect(machine.ended(.first, refused, now) == .wait)
        let broke = now
        var action = ConnectionMachine.Action.none
        while let deadline = machine.deadline {
            now = deadline
            action = machine.tick(now)
        }
        guard case .stop(.gaveUp) = action else { return #expect(Bool(false), "\(action)") }
        #expect(now == broke + .seconds(20))
    }

    @Test("A broken file is resumed from the same mirror although there is another") func resumedFile() {
        var machine = ConnectionMachine.live(mirrors: 2, isPinned: true)
        #expect(Self.mirror(machine.ended(.first, refused, Self.start)) == 0)
    }

    @Test("A pause of the process itself does not count towards the time to give up") func processPause() {
        var machine = ConnectionMachine(mirrors: 1, giveUp: .seconds(60), seed: 1)
        _ = machine.start(Self.start)
        #expect(machine.tick(Self.start + .seconds(3_600)) == .none)
        #expect(machine.deadline == Self.start + .seconds(3_601))
    }

    @Test("Playlist entries are tried from the playlist's place on, and can be discarded") func playlistEntries() {
        var machine = ConnectionMachine(mirrors: 2, giveUp: nil, seed: 1)
        _ = machine.start(Self.start)
        guard case .connect(let second) = machine.ended(.first, refused, Self.start) else {
            return #expect(Bool(false))
        }
        #expect(second.mirror == 1)
        guard case .connect(let entry) = machine.follow(.first, mirrors: 4, Self.start) else {
            return #expect(Bool(false))
        }
        #expect(entry.mirror == 1)
        var tried = [1]
        while case .connect(let attempt) = machine.ended(.first, refused, Self.start) { tried.append(attempt.mirror) }
        #expect(tried.prefix(4) == [1, 2, 3, 0])
        machine.replaceMirrors([nil, nil])
        guard let deadline = machine.deadline, case .connect(let first) = machine.tick(deadline) else {
            return #expect(Bool(false), "\(machine.state)")
        }
        #expect(first.mirror == 0)
    }

    @Test("A stream that turns out to be a whole file is finished") func wholeFile() {
        var machine = ConnectionMachine.live(mirrors: 3)
        #expect(machine.finished() == .stop(.finished))
        #expect(machine.finished() == .none)
    }

    @Test("A station that is no longer pinned uses any mirror, is hedged, and is never given up")
    func unpinned() throws {
        var machine = ConnectionMachine.live(mirrors: 2, giveUp: .seconds(60), isPinned: true)
        let failure = Failure(.protocol, "something else", remedy: "")
        #expect(machine.ended(.first, failure, Self.start).connected?.mirror == 0)
        machine.unpin()
        #expect(machine.ended(.first, failure, Self.start).connected?.mirror == 1)
        var now = Self.start
        for _ in 0..<100 {
            if machine.ended(.first, failure, now) == .wait { now = try #require(machine.deadline) }
            _ = machine.tick(now)
        }
        #expect(now - Self.start > .seconds(60) && machine.attempt != nil)
        _ = machine.climb(.first, now)
        #expect(machine.tick(now + machine.hedgeDelay).hedged != nil)
    }

    private static let failures: [Failure?] = [
        nil, Failure(.refused, "refused", remedy: ""), Failure(.notFound, "404", remedy: ""),
        Failure(.unauthorized, "401", remedy: ""), Failure(.serverBusy, "503", remedy: "", retryAfter: .seconds(900)),
        Failure(.certificate, "bad", remedy: ""),
    ]

    private static func mirror(_ action: ConnectionMachine.Action) -> Int? {
        if case .connect(let attempt) = action { attempt.mirror } else { nil }
    }
}
