// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import Playback
import RadioCore
import Stations
import TestSupport
import Testing

@testable import Engine

/// Queues with real files, a real server and a real sound server.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct QueueUseTests {
    @Test func `a folder is heard in its order, and each item to its end`() throws {
        let rig = try QueueUseRig()
        try rig.make("b/10 - Two.mp3", seconds: 0.5)
        try rig.make("b/9 - One.opus", seconds: 0.5)
        try rig.make("b/11 - Three.flac", seconds: 0.5)
        let outcome = try rig.play([rig.folder.file("b")])
        #expect(outcome.failure == nil)
        #expect(outcome.items?.map(\.title) == ["One", "Two", "Three"])
        #expect(outcome.items?.map(\.end) == [.playedToItsEnd, .playedToItsEnd, .playedToItsEnd])
        for item in outcome.items ?? [] {
            #expect(abs(item.heard.inSeconds - 0.5) < 0.1, "\(item)")
        }
    }

    @Test func `what cannot be played is passed over, and nothing at all is a failure`() throws {
        let rig = try QueueUseRig()
        try rig.make("a.mp3", seconds: 0.3)
        try rig.folder.write("text.mp3", "this is no audio\n")
        let some = try rig.play([rig.folder.file("text.mp3"), rig.folder.file("a.mp3")])
        #expect(some.failure == nil)
        #expect(some.items?.map { $0.end == .playedToItsEnd } == [false, true])
        var lines = 0
        let none = try rig.play([rig.folder.file("text.mp3")]) { _, notice in
            if case .failed = notice { lines += 1 }
        }
        #expect(lines == 0, "the end says it")
        #expect(none.failure?.failureClass == .notAudio)
    }

    @Test func `a feed of three items, of which one is not there`() throws {
        let rig = try QueueUseRig()
        try rig.make("1.mp3", seconds: 0.4)
        try rig.make("3.mp3", seconds: 0.4)
        let items = (1...3).map {
            "<item><title>Episode \($0)</title><guid>urn:test:episode-number-\($0)</guid>"
                + "<enclosure url=\"\($0).mp3\" type=\"audio/mpeg\" length=\"1\"/></item>"
        }
        try rig.folder.write(
            "feed.xml",
            "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>T</title>\(items.joined())</channel></rss>")
        let server = try NginxServer(serving: rig.folder.path)
        let outcome = try rig.play(["http://127.0.0.1:\(server.port)/feed.xml"])
        #expect(outcome.failure == nil)
        #expect(outcome.items?.map(\.title) == ["Episode 1", "Episode 2", "Episode 3"])
        #expect(outcome.items?.map { $0.end == .playedToItsEnd } == [true, false, true])
    }

    @Test func `a playlist of files is a queue, and so are several addresses of files`() throws {
        let rig = try QueueUseRig()
        try rig.make("1.mp3", seconds: 0.4)
        try rig.make("2.mp3", seconds: 0.4)
        try rig.folder.write("list.m3u", "#EXTM3U\n#EXTINF:1,One\n1.mp3\n#EXTINF:1,Two\n2.mp3\n")
        let server = try NginxServer(serving: rig.folder.path)
        let base = "http://127.0.0.1:\(server.port)"
        let list = try rig.play(["\(base)/list.m3u"])
        #expect(list.items?.map(\.title) == ["One", "Two"])
        #expect(list.items?.map(\.end) == [.playedToItsEnd, .playedToItsEnd])
        let several = try rig.play(["\(base)/1.mp3", "\(base)/2.mp3"])
        #expect(several.items?.map(\.end) == [.playedToItsEnd, .playedToItsEnd])
    }

    @Test(arguments: ["mp3", "opus", "ogg", "flac"])
    func `a place is sought before it is there, and heard from there`(ending: String) throws {
        let rig = try QueueUseRig()
        try rig.make("long.\(ending)", seconds: 60)
        let server = try NginxServer(serving: rig.folder.path, options: "limit_rate 200k; limit_rate_after 300k;")
        let address = "http://127.0.0.1:\(server.port)/long.\(ending)"
        let outcome = try rig.play([address]) { rig, notice in
            if case .began = notice { rig.ask(.position(.seconds(59))) }
        }
        #expect(outcome.failure == nil)
        #expect(outcome.items?.map(\.end) == [.playedToItsEnd])
        let heard = outcome.player.heard.inSeconds
        #expect(heard > 0.7 && heard < 6, "\(heard)")
    }

    @Test func `an item that was left in the middle begins there, unless that is not wanted`() throws {
        let rig = try QueueUseRig()
        try rig.make("long.mp3", seconds: 120)
        let path = rig.folder.file("long.mp3")
        let starts = Watched<[Duration]>([])
        let state = rig.folder.file("state")
        _ = try rig.play([path], state: state) { rig, notice in
            guard case .began(_, let start) = notice else { return }
            starts.change { $0.append(start) }
            rig.ask(.position(.seconds(40)))
            rig.endSoon()
        }
        _ = try rig.play([path], state: state) { rig, notice in
            guard case .began(_, let start) = notice else { return }
            starts.change { $0.append(start) }
            rig.endSoon()
        }
        _ = try rig.play([path], state: state, isFromStart: true) { rig, notice in
            guard case .began(_, let start) = notice else { return }
            starts.change { $0.append(start) }
            rig.endSoon()
        }
        let found = starts.value
        #expect(found.count == 3)
        #expect(found.first == .zero && found.last == .zero)
        #expect(found.count > 1 && abs(found[1].inSeconds - 40) < 2, "\(found)")
    }

    @Test func `next, previous and repeat`() throws {
        let rig = try QueueUseRig()
        for number in 1...3 { try rig.make("\(number).mp3", seconds: 20) }
        let began = Watched<[String]>([])
        let outcome = try rig.play((1...3).map { rig.folder.file("\($0).mp3") }) { rig, notice in
            guard case .began(let item, _) = notice else { return }
            let count = began.change { began in
                began.append(item.title ?? "")
                return began.count
            }
            switch count {
            case 1, 2: rig.ask(.next)
            case 3: rig.ask(.previous)
            default: rig.ask(.pause); rig.end()
            }
        }
        #expect(began.value == ["1", "2", "3", "2"])
        #expect(outcome.items?.map(\.end) == [.skipped, .skipped, .skipped, .stopped])
    }
}

/// An engine on a loop of its own, with a sound server that nobody else has.
final class QueueUseRig: Sendable {
    let folder: TemporaryFolder
    private let sound: PulseServer
    private let loop: EventLoop
    private let engine: Engine
    private let events: Watched<Events>

    struct Events: Sendable {
        var outcome: PlayOutcome?
        var notices: [QueueNotice] = []
    }

    private static let id = UseID("queue")

    init() throws {
        folder = try TemporaryFolder("aircheck-queue")
        sound = try PulseServer()
        loop = try EventLoop(name: "test")
        try loop.start()
        let events = Watched(Events())
        self.events = events
        engine = Engine(loop: loop) { event in
            switch event {
            case .use(_, .queue(let notice)): events.change { $0.notices.append(notice) }
            case .ended(_, let outcome): events.change { $0.outcome = outcome as? PlayOutcome }
            default: break
            }
        }
    }

    deinit {
        loop.post { [engine] in engine.assumeIsolated { $0.close() } }
        loop.shutdown()
    }

    /// A tone; the name's ending says of which kind.
    func make(_ name: String, seconds: Double) throws {
        let path = folder.file(name)
        if let slash = name.lastIndex(of: "/") {
            _ = try ChildProcess("/bin/mkdir", ["-p", folder.file(String(name[..<slash]))]).wait(within: .seconds(5))
        }
        let outcome = try ChildProcess(
            .ffmpeg,
            ["-v", "error", "-y", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=\(seconds)"]
                + (name.hasSuffix(".ogg") ? ["-c:a", "libvorbis"] : []) + [path]
        ).wait(within: .seconds(30))
        guard outcome.succeeded else { throw SetupError(outcome.standardError) }
    }

    func perform(_ command: EngineCommand) {
        loop.post { [engine] in engine.assumeIsolated { $0.perform(command) } }
    }

    func ask(_ request: PlayRequest) { perform(.ask(Self.id, request)) }

    func end() { perform(.end(Self.id)) }

    /// After what was asked for has been heard of.
    func endSoon() {
        loop.post { [self] in
            engine.assumeIsolated { _ in }
            let timer = loop.reactor.makeTimer { [self] in end() }
            timer.arm(at: loop.reactor.now + .milliseconds(1_500))
            timers.change { $0.append(Kept(timer)) }
        }
    }

    /// Sendable, unchecked. Proof: nobody touches what it holds.
    private struct Kept: @unchecked Sendable {
        let timer: any ReactorTimer
        init(_ timer: any ReactorTimer) { self.timer = timer }
    }
    private let timers = Watched<[Kept]>([])

    /// Plays to the end; `hear` is told what happens.
    func play(
        _ sources: [String], state: String? = nil, isFromStart: Bool = false,
        hear: (QueueUseRig, QueueNotice) -> Void = { _, _ in }
    ) throws -> PlayOutcome {
        events.change { $0 = Events() }
        var spec = QueueSpec(
            sources: sources, sound: PlaySpec(output: .server(sound.address)),
            station: StationSettings(urls: [], userAgent: "Aircheck/test", giveUp: .seconds(20)))
        (spec.stateFolder, spec.isFromStart) = (state, isFromStart)
        perform(.add(ProgrammeID("queue"), .queue))
        perform(.begin(Self.id, spec, of: ProgrammeID("queue")))
        var heard = 0
        while true {
            let news = events.wait(within: .seconds(40)) { events -> (PlayOutcome?, [QueueNotice])? in
                events.outcome != nil || events.notices.count > heard ? (events.outcome, events.notices) : nil
            }
            guard let (outcome, notices) = news else { throw SetupError("the queue does not end") }
            for notice in notices[heard...] { hear(self, notice) }
            heard = notices.count
            if let outcome { return outcome }
        }
    }
}
