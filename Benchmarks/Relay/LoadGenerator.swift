// SPDX-License-Identifier: MIT

import CBenchTools
import Glibc
import Instants
import TestSupport
import TestTools

/// Thousands of listeners in one thread. They connect on a schedule, and then receive what the server sends.
///
/// It checks every millisecond for received data and lets the kernel discard it, so one core carries more listeners
/// than any server can. Times since a connect are measured from its scheduled instant, not from the actual one.
final class LoadGenerator {
    private let plan: LoadPlan
    private let epoll: CInt
    private let request: [UInt8]
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    private var listeners: [LoadListener] = []

    /// The number of source addresses. Each has no more than 28,000 ports.
    private static let sourceAddresses = 8
    /// The maximum number of tokens from one wait.
    private static let batch = 128

    init(_ plan: LoadPlan) throws {
        self.plan = plan
        try raiseDescriptorLimit(toAtLeast: plan.listeners + 64)
        epoll = ac_epoll_open()
        guard epoll >= 0 else { throw SetupError("epoll_create1: errno \(errno)") }
        let metadata = plan.wantsMetadata ? "Icy-MetaData: 1\r\n" : ""
        request = Array(
            "GET \(plan.path) HTTP/1.0\r\nHost: 127.0.0.1:\(plan.port)\r\nUser-Agent: Load\r\n\(metadata)\r\n".utf8)
    }

    deinit {
        buffer.deallocate()
        close(epoll)
    }

    /// Runs the whole plan. Blocks until it is done.
    func run() throws -> LoadResult {
        let checker = try FrameChecker(source: bytes(ofFile: plan.programme), container: .mpegAudio)
        let (server, own) = (ProcessMeter(pid: plan.server), ProcessMeter(pid: getpid()))
        let memoryBefore = try server.ownMemory()
        let joining = try StolenTime.Watch()
        try join()
        try turn(until: .now + LoadPlan.settling)
        let stolenJoining = try joining.share()

        for listener in listeners { listener.startMeasuring() }
        let start = MonotonicInstant.now
        let measuring = try StolenTime.Watch()
        let (serverBefore, ownBefore) = (try server.processorTime(), try own.processorTime())
        try turn(until: start + .seconds(plan.seconds))
        let end = MonotonicInstant.now
        let (serverTime, ownTime) = (try server.processorTime() - serverBefore, try own.processorTime() - ownBefore)
        let stolenMeasuring = try measuring.share()
        let memory = try server.ownMemory() - memoryBefore

        var result = LoadResult()
        result.stolenJoining = stolenJoining
        result.stolenMeasuring = stolenMeasuring
        count(into: &result, at: end)
        let length = (end - start) / .seconds(1)
        result.serverLoad = Double(serverTime) / 1e9 / length
        result.generatorLoad = Double(ownTime) / 1e9 / length
        let audio = Double(listeners.reduce(0) { $0 + $1.bytes }) / LoadPlan.stationRate
        result.processorTime = Double(serverTime) / 1e9 / audio
        result.memory = Double(memory) / Double(max(1, result.joined))
        judge(checker, into: &result)
        return result
    }

    // MARK: The listeners

    /// Connects all listeners, each at its scheduled instant, and waits until all of them have received audio or were
    /// closed. Gives up at a time limit.
    private func join() throws {
        let start = MonotonicInstant.now
        let limit = start + (.seconds(plan.listeners) / LoadPlan.connectRate + LoadPlan.patience)
        var waiting = 0
        while listeners.count < plan.listeners || waiting < listeners.count {
            let now = MonotonicInstant.now
            guard now < limit else { return }
            while listeners.count < plan.listeners, due(listeners.count, since: start) <= now {
                try connect(due: due(listeners.count, since: start))
            }
            try turn(by: now + .milliseconds(1))
            // Listeners are usually answered in the order of their connects, so it is enough to check the first that
            // waits.
            while waiting < listeners.count, listeners[waiting].isSettled { waiting += 1 }
        }
    }

    private func due(_ number: Int, since start: MonotonicInstant) -> MonotonicInstant {
        start + .seconds(number) / LoadPlan.connectRate
    }

    private func connect(due: MonotonicInstant) throws {
        let number = listeners.count
        let keeps = number % max(1, plan.listeners / LoadPlan.sample) == 0
        let descriptor = try LoadSocket.connect(to: plan.port, from: number % Self.sourceAddresses)
        let listener = LoadListener(descriptor, due: due, keeps: keeps)
        listeners.append(listener)
        let isAsking = listener.ask(request)
        guard !listener.isSettled else { return }
        guard ac_epoll_add(epoll, descriptor, UInt32(number), isAsking ? 0 : 1) == 0 else {
            throw SetupError("epoll_ctl: errno \(errno)")
        }
    }

    // MARK: The loop

    private func turn(until end: MonotonicInstant) throws {
        while MonotonicInstant.now < end { try turn(by: end) }
    }

    /// Sleeps for a moment, then receives the data that has arrived.
    ///
    /// It never blocks on the sockets: each write of the server to a sleeping generator would bear the cost of waking
    /// it. Listeners over a network cause no such cost.
    private func turn(by end: MonotonicInstant) throws {
        if MonotonicInstant.now < end { poll(nil, 0, 1) }
        try withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.batch) { tokens in
            // Serves each listener about once, then returns to the schedule.
            for _ in 0...listeners.count / Self.batch {
                let count = Int(ac_epoll_wait(epoll, tokens.baseAddress, CInt(Self.batch), 0))
                guard count >= 0 || errno == EINTR else { throw SetupError("epoll_wait: errno \(errno)") }
                for token in tokens.prefix(max(0, count)) { isReady(Int(token)) }
                if count < Self.batch { return }
            }
        }
    }

    private func isReady(_ number: Int) {
        let listener = listeners[number]
        guard listener.state == .connecting else { return listener.receive(into: buffer) }
        if listener.ask(request) { _ = ac_epoll_change(epoll, listener.descriptor, UInt32(number), 0) }
    }

    // MARK: The result

    private func count(into result: inout LoadResult, at end: MonotonicInstant) {
        let heard = listeners.filter { $0.firstByte != nil }
        result.joined = heard.count
        result.refused = plan.listeners - heard.count
        result.closed = heard.count { $0.state == .closed(heard: true) }
        result.firstByte = .init(heard.compactMap { $0.firstByte.map { $0 / .seconds(1) } })
        let measured = heard.map { $0.measured(until: end) }
        result.rate = .init(measured.map { $0.rate / LoadPlan.stationRate })
        result.pause = .init(measured.map { $0.longestPause / .seconds(1) })
    }

    private func judge(_ checker: FrameChecker, into result: inout LoadResult) {
        var titles: Set<String> = []
        for sample in listeners.lazy.compactMap(\.sample) {
            let (frames, flaws, report) = sample.judge(by: checker)
            result.framesChecked += frames
            result.flaws += flaws + sample.badBlocks
            titles.formUnion(sample.titles)
            if flaws > 0, result.remark.isEmpty { result.remark = "\(report)" }
        }
        result.titles = titles.count
    }
}
