// SPDX-License-Identifier: MIT

import CAllocations
import Decoding
import EventLoop
import EventLoopTesting
import Instants
import Playback
import RadioCore
import RadioFormats

@testable import Stations

/// A player in virtual time: a programme whose frames a test appends, and a sound server that keeps the samples played.
final class PlayerRig {
    let reactor = ManualReactor()
    let programme: FakeProgramme
    let sound: VirtualSound
    private(set) var player: Player
    private(set) var events: [PlayerEvent] = []
    private(set) var isFinished = false
    private(set) var voice: InlineVoice?

    /// If `isSilent`, all samples are zero and none are kept, so that a test may last for days of virtual time. The
    /// programme has sent for `duration`, after a burst.
    init(
        _ settings: PlayerSettings = PlayerSettings(), _ kind: SourceKind = .live, isSilent: Bool = false,
        samples: Int? = nil, running duration: Duration = .zero, burst: Duration = .zero,
        step: Duration = .milliseconds(250)
    ) throws {
        let reactor = reactor
        let sound = VirtualSound(reactor)
        self.sound = sound
        sound.keeps = !isSilent
        let programme = FakeProgramme(
            kind, samples: samples ?? (isSilent ? 24_000 : FakeProgramme.usualSamples), channels: isSilent ? 1 : 2)
        self.programme = programme
        let made = Box<InlineVoice>()
        player = try Player(settings, reactor: reactor) { player in
            let voice = InlineVoice(sound, reactor, programme.samples, isSilent) { event in
                player.tell { $0.heard(event) }
            }
            made.value = voice
            return voice
        }
        voice = made.value
        player.onEvent = { [unowned self] in events.append($0) }
        player.onFinish = { [unowned self] in isFinished = true }
        player.begin()
        player.tune(to: programme)
        reactor.settle()
        if duration > .zero { run(duration, burst: burst, step: step) }
    }

    private final class Box<Value> {
        var value: Value?
    }

    /// Lets the programme send for `duration`: first `burst` at once, then the rest in real time, with a delivery every
    /// `step`.
    func run(_ duration: Duration, burst: Duration = .zero, step: Duration = .milliseconds(250), drift: Double = 0) {
        programme.append(burst)
        let steps = Int(duration / step)
        for _ in 0..<steps {
            reactor.advance(by: step)
            programme.append(step * (1 + drift / 1e6))
        }
        reactor.settle()
    }

    /// Does what a listener asks for, and goes on for `duration`.
    func perform(_ request: PlayRequest, for duration: Duration) {
        player.perform(request)
        run(duration)
    }

    func wait(_ duration: Duration) { reactor.advance(by: duration) }

    var state: PlaybackState { player.snapshot.status.state }
    var states: [PlaybackState] {
        events.compactMap { if case .status(let status) = $0 { status.state } else { nil } }
    }
}

/// A voice on the reactor's own thread.
final class InlineVoice: VoiceControl {
    let pipe = FramePipe()
    private let reactor: any Reactor
    private let sound: VirtualSound
    private let voice: Voice
    private var commands: [VoiceCommand] = []
    private lazy var timer = reactor.makeTimer { [unowned self] in turn() }
    private(set) var isOver = false
    /// The number of allocations in the voice's turns.
    private(set) var allocations = 0
    private(set) var sent: [VoiceCommand] = []
    /// The number of the first frame that each decoder got.
    var firstFrames: [Int64] { decoders.all.compactMap(\.first) }
    private let decoders = Decoders()

    /// A codec without a decoder.
    static let undecodable = Codec.flac

    private final class Decoders {
        var all: [CountingDecoder] = []
        var areReady = true
        var onFrame: () -> Void = {}
    }

    /// Whether decoders give out decoded audio.
    var decodersAreReady: Bool {
        get { decoders.areReady }
        set { decoders.areReady = newValue }
    }

    /// Called in the midst of a turn, before each decoded frame: what the loop does while the voice decodes.
    var onFrame: () -> Void {
        get { decoders.onFrame }
        set { decoders.onFrame = newValue }
    }

    init(
        _ sound: VirtualSound, _ reactor: any Reactor, _ samples: Int, _ isSilent: Bool,
        tell: @escaping (VoiceNotice) -> Void
    ) {
        self.reactor = reactor
        self.sound = sound
        voice = Voice(
            sound, pipe, measuresLoudness: false,
            makeDecoder: { [decoders] format throws(DecodingError) in
                guard format.codec != Self.undecodable else { throw .missing(name: "a decoder", package: "one") }
                let decoder = CountingDecoder(format, samples: samples, isSilent: isSilent) {
                    decoders.onFrame()
                    return decoders.areReady
                }
                decoders.all.append(decoder)
                return decoder
            }, tell: tell)
    }

    func send(_ command: VoiceCommand) {
        commands.append(command)
        sent.append(command)
        soon()
    }

    func wake() { if pipe.takeHunger() { soon() } }

    func shutDown() { isOver = true }

    func soon() { timer.arm(at: reactor.now) }

    private func turn() {
        guard !isOver else { return }
        sound.catchUp()
        let commands = commands
        self.commands = []
        let before = ac_allocation_count()
        voice.turn(commands, at: reactor.now)
        allocations += ac_allocation_count() - before
        sound.catchUp()
        voice.turn([], at: reactor.now)
        let next = [voice.deadline, sound.nextInstant].compactMap(\.self).min()
        if let next { timer.arm(at: max(next, reactor.now + .nanoseconds(1))) }
    }
}

/// A programme whose frames and events a test decides.
final class FakeProgramme {
    let programme: Programme
    private let source = FakeSource()
    var activity: Activity {
        get { source.activity }
        set { source.activity = newValue }
    }
    var silence: Duration {
        get { source.silence }
        set { source.silence = newValue }
    }
    var hub: StreamHub { programme.hub }
    private var sent = Duration.zero
    private(set) var frames: Int64 = 0
    /// Whether the frames that it sends are damaged.
    var isDamaged = false
    /// The number of allocations while its sinks received audio.
    private(set) var allocations = 0
    private var format: StreamFormat
    /// The samples of each frame.
    let samples: Int

    /// 24 ms at 48 kHz.
    static let usualSamples = 1_152

    init(_ kind: SourceKind, samples: Int = usualSamples, channels: Int = 2, codec: Codec = .mp3) {
        self.samples = samples
        // The ring must be able to hold a whole file, because a file may be complete before the player starts.
        programme = Programme(
            depth: kind == .finite ? .seconds(60) : .seconds(1), reactor: ManualReactor()
        ) { [source] _ in source }
        format = StreamFormat(
            codec: codec, mpegVersion: codec == .mp3 ? .mpeg1 : nil, sampleRate: 48_000, channels: channels)
        hub.announce(StationInfo(kind: kind, name: "Test", url: "http://radio.test/"))
    }

    /// Sends `duration` more audio, as far as it fills whole frames.
    func append(_ duration: Duration) {
        sent += duration
        if hub.ring.format == nil, duration > .zero {
            hub.begin(format)
            hub.report(.firstJoin)
        }
        while .samples((frames + 1) * Int64(samples), at: 48_000) <= sent {
            (isDamaged ? [0] : CountingDecoder.frame(frames)).withUnsafeBytes {
                hub.append($0, samples: samples, backReference: 0)
            }
            frames += 1
        }
        let before = ac_allocation_count()
        hub.flush()
        allocations += ac_allocation_count() - before
    }

    /// Continues in another format.
    func change(channels: Int) {
        format.channels = channels
        hub.begin(format)
    }

    /// Loses this much audio, which leaves a gap.
    func lose(_ duration: Duration, at wall: WallInstant) {
        let lost = Int64(duration / .milliseconds(24))
        frames += lost
        sent += .milliseconds(24) * Int(lost)
        hub.report(.gap(Gap(at: wall, length: duration, cause: "test")))
    }

    var isPaused: Bool { source.isPaused }
    func stop() { programme.stop() }
}

/// A source that can wait.
private final class FakeSource: Source {
    private(set) var isPaused = false
    var activity = Activity.delivering
    var silence = Duration.zero
    var canPause: Bool { true }
    func begin() {}
    func stop() {}
    func pause() { isPaused = true }
    func resume() { isPaused = false }
    func describe(in snapshot: inout StationSnapshot) {
        (snapshot.activity, snapshot.isDelivering, snapshot.silence) = (activity, true, silence)
    }
}

extension Player {
    func tune(to fake: FakeProgramme) { tune(to: fake.programme) }
    func play(_ fake: FakeProgramme, _ passage: Passage) -> Int { play(fake.programme, passage) }
    func follow(with fake: FakeProgramme, _ passage: Passage) -> Int { follow(with: fake.programme, passage) }
}
