// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import MediaSources
import RadioCore
import RadioFormats

/// What Aircheck plays of a file: the frames that a relay would send, through the same source, in virtual time.
final class PlayedFile: PacedSourceDelegate {
    private(set) var formats: [StreamFormat] = []
    private(set) var units: [AudioUnit] = []
    /// The indices of the units that do not continue the unit before them, as reported by the source.
    private(set) var resyncs: [Int] = []
    /// Why the file, or the rest of it, was not played.
    private(set) var refusal: String?
    private var isOver = false

    init(_ name: String, _ bytes: [UInt8]) throws {
        let reactor = ManualReactor()
        let feed = Playout([MediaItem(name: name, bytes: bytes)], repeats: false)
        let source = PacedSource(feed, ahead: .seconds(1_000_000), reactor: reactor, delegate: self)
        source.start()
        // Each turn delivers 8,192 frames, sixteen times a second.
        for _ in 0..<10_000 where !isOver { reactor.advance(by: .milliseconds(125)) }
        try Harm.unless(isOver, "the source never ends")
    }

    func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        batch.forEach(in: bytes) { facts, frame in
            units.append(
                AudioUnit(
                    offset: Int(facts.offset), size: frame.count, checksum: crc32(frame), samples: facts.samples))
        }
    }

    func take(_ part: StreamPart) {
        switch part {
        case .format(let format): formats.append(format)
        case .resync, .missing: resyncs.append(units.count)
        case .title: break
        }
    }

    func source(_ source: PacedSource, skipped item: String, because reason: String) { refusal = reason }
    func source(_ source: PacedSource, leftOut bytes: Int64, of item: String) {}
    func sourceCaughtUp(_ source: PacedSource) {}
    func source(_ source: PacedSource, endedWith failure: Failure?) { isOver = true }
}
