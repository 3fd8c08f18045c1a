// SPDX-License-Identifier: MIT

import HTTPServer
import Instants
import RadioCore
import RadioFormats
import Relay
import Stations
import Testing

/// A hub whose frames can be told apart, a mount on a real socket, and virtual time.
final class RelayRig: MountRig {
    static let mp3 = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44100, channels: 2)
    static let frameSize = 417

    let hub = StreamHub()
    private(set) var frames = 0
    /// The bytes of all frames so far.
    private(set) var source: [UInt8] = []

    /// A mount whose station has been on air for `seconds`.
    init(
        running seconds: Int = 0, settings: MountSettings = MountSettings(), limits: HTTPLimits = HTTPLimits(),
        format: StreamFormat? = mp3, _ change: (inout MountSettings) -> Void = { _ in }
    ) throws {
        var settings = settings
        change(&settings)
        try super.init(settings: settings, limits: limits)
        mount.tune(to: hub)
        var info = StationInfo(kind: .live, name: "Test\r\nX: y", url: "http://origin/")
        info.icyFields = [
            .init(name: "icy-genre", value: "Jazz"), .init(name: "icy-br", value: "128"),
            .init(name: "icy-metaint", value: "1"),
        ]
        hub.announce(info)
        if let format { hub.begin(format) }
        run(seconds)
    }

    /// Appends frames, each of which contains its number.
    func play(_ count: Int) {
        for _ in 0..<count {
            let frame = Self.frame(frames)
            frame.withUnsafeBytes { hub.append($0, samples: 1152, backReference: 0) }
            source += frame
            frames += 1
        }
        hub.flush()
    }

    /// Lets this many seconds of audio arrive in real time, and calls `each` after every step.
    func run(_ seconds: Int, _ each: () -> Void = {}) {
        pass(eighths: seconds * 8, frames: 5, each)
    }

    /// Lets this many seconds pass without audio.
    func wait(_ seconds: Int, _ each: () -> Void = {}) {
        pass(eighths: seconds * 8, frames: 0, each)
    }

    /// Lets audio of this many eighths of a second arrive at once.
    func lump(eighths: Int) { play(eighths * 5) }

    /// Lets this many eighths of a second pass without audio.
    func wait(eighths: Int, _ each: () -> Void = {}) { pass(eighths: eighths, frames: 0, each) }

    /// Lets time pass in steps of an eighth of a second, each with `frames` frames.
    private func pass(eighths: Int, frames: Int, _ each: () -> Void) {
        pass(eighths, of: .milliseconds(125), feed: { if frames > 0 { play(frames) } }, each)
    }

    /// Marks a gap before the next frames, at a new connection or within the present one.
    func gap(isBreak: Bool = true) { hub.report(Self.gap(isBreak: isBreak)) }

    static func gap(isBreak: Bool = true) -> Discontinuity.Kind {
        let at = WallInstant(nanoseconds: 0)
        let failure = Failure(.dropped, "test", remedy: "none")
        return .gap(
            isBreak
                ? Gap(at: at, length: .seconds(5), cause: "test", failure: failure)
                : .inside(at: at, length: .seconds(5)))
    }

    /// The numbers of the frames in `bytes`; nil if they are not whole, not in order or not of this rig.
    func frameNumbers(_ bytes: [UInt8]) -> [Int]? {
        heard(bytes).flatMap { $0.silent == 0 ? $0.numbers : nil }
    }

    /// The same as ``frameNumbers(_:)`` for a body that may contain silence. Also returns how many silent frames and
    /// how many silent stretches the body has.
    func heard(_ bytes: [UInt8]) -> (numbers: [Int], silent: Int, stretches: Int)? {
        guard bytes.count % Self.frameSize == 0 else { return nil }
        var (numbers, silent, stretches) = ([Int](), 0, 0)
        var wasSilent = false
        for start in stride(from: 0, to: bytes.count, by: Self.frameSize) {
            let frame = bytes[start..<(start + Self.frameSize)]
            let isSilent = Self.sideInformation.allSatisfy { frame[start + $0] == 0 }
            if isSilent {
                guard frame.starts(with: Self.header) else { return nil }
                silent += 1
                stretches += wasSilent ? 0 : 1
            } else {
                let number = frame.dropFirst(Self.numberOffset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
                let place = number * Self.frameSize
                guard number > numbers.last ?? -1, place + Self.frameSize <= source.count,
                    source[place..<(place + Self.frameSize)].elementsEqual(frame)
                else { return nil }
                numbers.append(number)
            }
            wasSilent = isSilent
        }
        return (numbers, silent, stretches)
    }

    /// A frame of layer III whose main data contains its number. Its side information is never all zero. Its other
    /// bytes are `filling`, if there is one.
    static func frame(_ number: Int, filling: UInt8? = nil) -> [UInt8] {
        var frame = header + [UInt8](repeating: filling ?? UInt8(number % 100 + 1), count: frameSize - header.count)
        withUnsafeBytes(of: UInt32(number).bigEndian) {
            frame.replaceSubrange(numberOffset..<numberOffset + 4, with: $0)
        }
        return frame
    }

    static let header: [UInt8] = [0xFF, 0xFB, 0x90, 0x44]
    /// The place of the side information, without `main_data_begin`.
    private static let sideInformation = 6..<36
    private static let numberOffset = 40
    static let frameDuration = Duration.samples(1152, at: 44_100)
}

extension Array<Int> {
    /// Whether each number is one more than the number before it.
    var isUnbroken: Bool { zip(self, dropFirst()).allSatisfy { $1 == $0 + 1 } }
}
