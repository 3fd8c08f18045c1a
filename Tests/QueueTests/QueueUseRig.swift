// SPDX-License-Identifier: MIT

import Engine
import EventLoop
import Instants
import Playback
import RadioCore
import Stations
import TestSupport
import TestTools

@testable import Queue

/// An engine on a loop of its own, with a sound server that no other test uses.
final class QueueUseRig: Sendable {
    let folder: TemporaryFolder
    private let sound: PulseServer
    private let loop: EventLoop
    private let engine: Engine
    private let events: Watched<Events>

    struct Events: Sendable {
        var outcome: PlayOutcome?
        var notices: [QueueNotice] = []
        /// The items of which attachments were left out.
        var leftOut: [String?] = []
        /// The failures that connections have reported.
        var failures: [Failure] = []
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
            case .use(_, .programme(.failed(let failure, _), _)): events.change { $0.failures.append(failure) }
            case .use(_, .programme(.attachmentsLeftOut(_, let item), _)): events.change { $0.leftOut.append(item) }
            case .ended(_, let outcome): events.change { $0.outcome = outcome as? PlayOutcome }
            default: break
            }
        }
    }

    deinit {
        loop.post { [engine] in engine.assumeIsolated { $0.close() } }
        loop.shutdown()
    }

    /// Makes a tone. The name's ending determines the format.
    func make(_ name: String, seconds: Double, title: String? = nil, cover: Int? = nil) async throws {
        let path = folder.file(name)
        let tags = try cover.map { cover in
            let picture = String(repeating: "A", count: cover)
            return try folder.write("tags", ";FFMETADATA1\nMETADATA_BLOCK_PICTURE=\(picture)\n")
        }
        if let slash = name.lastIndex(of: "/") {
            _ = try await ChildProcess("/bin/mkdir", ["-p", folder.file(String(name[..<slash]))])
                .outcome(within: .seconds(20))
        }
        let outcome = try await ChildProcess(
            .ffmpeg,
            ["-v", "error", "-y", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=\(seconds)"]
                + (tags.map { ["-i", $0, "-map_metadata", "1"] } ?? [])
                + (name.hasSuffix(".ogg") ? ["-c:a", "libvorbis"] : [])
                + (name.hasSuffix(".m4b") ? ["-movflags", "faststart"] : [])
                + (title.map { ["-metadata", "title=\($0)", "-metadata", "artist=Ann"] } ?? []) + [path]
        ).outcome(within: .seconds(30))
        guard outcome.succeeded else { throw SetupError(outcome.standardError) }
    }

    /// Makes a file that is long enough to continue where it was left, and returns its path.
    func makeLong() async throws -> String {
        try await make("minute.mp3", seconds: 60)
        let minute = try bytes(ofFile: folder.file("minute.mp3"))
        return try folder.write("long.mp3", (0..<11).flatMap { _ in minute })
    }

    var failures: [Failure] { events.value.failures }
    var leftOut: [String?] { events.value.leftOut }

    /// Records what is played from now on. Blocks for a moment.
    func monitor() throws -> MonitorRecording { try MonitorRecording(sound) }

    private func perform(_ commands: [EngineCommand]) {
        loop.post { [engine] in engine.assumeIsolated { for command in commands { $0.perform(command) } } }
    }

    func ask(_ request: PlayRequest) { perform([.ask(Self.id, request)]) }

    func end() { perform([.end(Self.id)]) }

    /// Ends the queue after `wait`, which gives earlier requests time to take effect.
    func endSoon(after wait: Duration = .milliseconds(1_500)) {
        loop.post { [self] in
            // The timer's handler retains the timer until it fires, because the timer belongs to the loop's thread.
            var timer: (any ReactorTimer)?
            timer = loop.reactor.makeTimer { [self] in
                timer = nil
                end()
            }
            timer?.arm(at: loop.reactor.now + wait)
        }
    }

    /// Plays the queue to its end, and passes each notice to `hear`. The requests come before any item is open.
    func play(
        _ sources: [String], state: String? = nil, isFromStart: Bool = false, item: Int? = nil,
        giveUp: Duration = .seconds(20), asking requests: [PlayRequest] = [],
        hear: (QueueUseRig, QueueNotice) -> Void = { _, _ in }
    ) async throws -> PlayOutcome {
        events.change { $0 = Events() }
        var spec = QueueSpec(
            sources: sources, sound: PlaySpec(output: .server(sound.address)),
            station: StationSettings(urls: [], userAgent: "Aircheck/test", giveUp: giveUp))
        (spec.stateFolder, spec.isFromStart, spec.firstItem) = (state, isFromStart, item)
        perform(
            [.add(ProgrammeID("queue"), .queue), .begin(Self.id, spec, of: ProgrammeID("queue"))]
                + requests.map { .ask(Self.id, $0) })
        var heard = 0
        while true {
            let known = heard
            // Wait on a separate thread, not on the pool that all tests share.
            let ending = try await onThread { [events] in
                events.wait(within: .seconds(40)) { events -> (PlayOutcome?, [QueueNotice])? in
                    events.outcome != nil || events.notices.count > known ? (events.outcome, events.notices) : nil
                }
            }
            guard let (outcome, notices) = ending else { throw SetupError("the queue does not end") }
            for notice in notices[heard...] { hear(self, notice) }
            heard = notices.count
            if let outcome { return outcome }
        }
    }
}
