// SPDX-License-Identifier: MIT

import RadioFormats
import Relay
import Stations
import Testing

/// A mount in virtual time. Frames of its station, frames of its fallback and silence can be told apart.
final class FallbackRig: MountRig {
    enum Kind { case station, fallback, silence }

    /// Numbered frames of one kind.
    final class Player {
        let hub = StreamHub()
        private(set) var frames = 0
        private let filling: UInt8?
        private let isOgg: Bool

        init(filling: UInt8?, isOgg: Bool) {
            self.filling = filling
            self.isOgg = isOgg
        }

        func play(_ count: Int) {
            for _ in 0..<count {
                let frame = isOgg ? packet : RelayRig.frame(frames, filling: filling)
                frame.withUnsafeBytes { hub.append($0, samples: isOgg ? 960 : 1152, backReference: 0) }
                frames += 1
            }
            hub.flush()
        }

        /// An Opus packet of 20 ms.
        private var packet: [UInt8] {
            [0xFC] + withUnsafeBytes(of: UInt32(frames).bigEndian) { Array($0) }
                + Array(repeating: filling ?? 1, count: 95)
        }
    }

    /// The fallback, whose audio comes from the rig.
    final class Other {
        let player: Player
        private let format: StreamFormat

        init(_ format: StreamFormat) {
            self.format = format
            player = Player(filling: FallbackRig.filling, isOgg: format.container == .ogg)
        }

        var hub: StreamHub { player.hub }

        func start() {
            hub.begin(format)
            hub.setTitle("Fallback")
            player.play(4 * 40)
        }
    }

    let station: Player
    private(set) var begun = 0
    private(set) var ended = 0
    private(set) var notices: [Fallback.Notice] = []
    var mayBegin = true
    private var other: Other?

    static let filling: UInt8 = 200
    static let opus = StreamFormat(
        codec: .opus, sampleRate: 48_000, channels: 2, headerPackets: [OpusHead.identification, OpusHead.comments])

    /// If `stationFormat` is nil, the station does not come up.
    init(
        format: StreamFormat = RelayRig.mp3, stationFormat: StreamFormat? = RelayRig.mp3, interval: Int = 16_000,
        longestOutage: Duration = .seconds(600)
    ) throws {
        station = Player(filling: nil, isOgg: stationFormat?.container == .ogg)
        var settings = MountSettings()
        settings.metadataInterval = interval
        settings.longestOutage = longestOutage
        try super.init(settings: settings)
        let fallback = Fallback(for: settings, reactor: reactor, serial: 2)
        fallback.onWanted = { [weak self, unowned fallback] isWanted in
            guard let self else { return }
            guard isWanted else {
                other = nil
                return ended += 1
            }
            begun += 1
            let other = Other(format)
            self.other = other
            fallback.tune(to: other.hub)
            other.start()
        }
        fallback.onNotice = { [weak self] in self?.notices.append($0) }
        mount.fallback = fallback
        mount.tune(to: station.hub)
        if let stationFormat { station.hub.begin(stationFormat) }
    }

    /// Lets the station send in real time for this many seconds, and the fallback, too, while it runs.
    func run(_ seconds: Int, _ each: () -> Void = {}) { pass(seconds, 5, each) }

    func wait(_ seconds: Int, _ each: () -> Void = {}) { pass(seconds, 0, each) }

    private func pass(_ seconds: Int, _ frames: Int, _ each: () -> Void) {
        let feed = { [self] in
            station.play(frames)
            if mayBegin { other?.player.play(5) }
        }
        pass(seconds * 8, of: .milliseconds(125), feed: feed, each)
    }

    func endFallback() { other?.hub.end(nil) }

    static func audio(_ bytes: [UInt8]) -> Duration { RelayRig.frameDuration * (bytes.count / RelayRig.frameSize) }

    struct Heard {
        var stretches: [(kind: Kind, numbers: [Int])] = []
    }

    /// Groups the frames of a body into stretches of one kind each; nil if they are not whole frames of this rig.
    func heard(_ bytes: [UInt8]) -> Heard? {
        guard bytes.count % RelayRig.frameSize == 0 else { return nil }
        var heard = Heard()
        for start in stride(from: 0, to: bytes.count, by: RelayRig.frameSize) {
            let frame = Array(bytes[start..<(start + RelayRig.frameSize)])
            guard frame.starts(with: RelayRig.header) else { return nil }
            let number = frame[40..<44].reduce(0) { $0 << 8 | Int($1) }
            let kind: Kind =
                switch frame[10] {
                case 0: .silence
                case Self.filling: .fallback
                default: .station
                }
            switch kind {
            case .silence: break
            case .fallback: guard frame == RelayRig.frame(number, filling: Self.filling) else { return nil }
            case .station: guard frame == RelayRig.frame(number) else { return nil }
            }
            if heard.stretches.last?.kind != kind { heard.stretches.append((kind, [])) }
            heard.stretches[heard.stretches.count - 1].numbers.append(number)
        }
        return heard
    }
}
