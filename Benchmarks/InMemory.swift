// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Stations

/// Compares the inner stages of the data path with `memcpy` of the same bytes, alternating within one run.
///
/// The input comes in pieces of 16 KiB, as from curl. Its destination is larger than the caches, for `memcpy` as well.
struct InMemory {
    private let audio = mp3(bytes: 32 << 20)
    private let interleaved: [UInt8]
    /// The destination of copies.
    private let destination: UnsafeMutableRawBufferPointer

    private static let piece = 16 << 10
    private static let interval = 16_000
    private static let rounds = 9

    init() {
        interleaved = Self.icy(audio, interval: Self.interval)
        destination = .allocate(byteCount: interleaved.count, alignment: 4096)
        // Avoids page faults during the rounds.
        destination.initializeMemory(as: UInt8.self, repeating: 1)
    }

    func run() -> [Figure] {
        defer { destination.deallocate() }
        return [
            figure("framer", audio, .atLeast(1.0 / 5), frame),
            figure("bytes to ring", audio, .atLeast(1.0 / 10), fillRing),
            figure("ICY demux, interval \(Self.interval)", interleaved, .atLeast(1.0 / 2), demux),
        ]
    }

    private func figure(_ name: String, _ bytes: [UInt8], _ goal: Figure.Goal, _ work: ([UInt8]) -> Int) -> Figure {
        var rounds: [(ours: Double, peer: Double)] = []
        for round in 0...Self.rounds {
            var results = 0
            let ours = seconds { results = work(bytes) }
            let peer = seconds { results += copy(bytes) }
            precondition(results > 0, "nothing was done")
            // The first round is a warm-up.
            if round > 0 { rounds.append((ours, peer)) }
        }
        func speed(_ times: [Double]) -> String { decimal(Double(bytes.count) / median(times) / 1e9) + " GB/s" }
        return Figure(
            name: "in memory: \(name)", ours: speed(rounds.map(\.ours)), peer: "memcpy " + speed(rounds.map(\.peer)),
            value: median(rounds.map { $0.peer / $0.ours }), goal: goal)
    }
}

// MARK: - The kinds of work

// Every kind of work returns a number that depends on it, so that the optimiser removes nothing.
extension InMemory {
    private func copy(_ bytes: [UInt8]) -> Int {
        var copied = 0
        forEachPiece(of: bytes) { piece in
            copied += store(piece, at: copied)
        }
        return copied
    }

    /// Splits the bytes into frames, in runs, as a station does.
    private func frame(_ bytes: [UInt8]) -> Int {
        var framer = MPEGAudioFramer()
        var frames = 0
        var room: [Frame] = []
        forEachPiece(of: bytes) { piece in
            framer.append(piece)
            framer.drain(by: &room) {
                if case .frames(let run, _) = $0 { frames += run.count }
                return true
            }
        }
        return frames
    }

    private func demux(_ bytes: [UInt8]) -> Int {
        var demuxer = ICYDemuxer(interval: Self.interval)
        var copied = 0
        forEachPiece(of: bytes) { piece in
            var offset = 0
            while let event = demuxer.next(in: piece, at: &offset) {
                guard case .audio(let range) = event else { continue }
                copied += store(UnsafeRawBufferPointer(rebasing: piece[range]), at: copied)
            }
        }
        return copied
    }

    /// Demuxer, framer and hub, connected as in a station.
    private func fillRing(_ bytes: [UInt8]) -> Int {
        var demuxer = ICYDemuxer(interval: nil)
        var framer = MPEGAudioFramer()
        let hub = StreamHub()
        var room: [Frame] = []
        forEachPiece(of: bytes) { piece in
            var offset = 0
            while let event = demuxer.next(in: piece, at: &offset) {
                guard case .audio(let range) = event else { continue }
                framer.append(UnsafeRawBufferPointer(rebasing: piece[range]))
            }
            framer.drain(by: &room) { output in
                switch output {
                case .frames(let frames, let bytes): hub.append(FrameBatch(frames), bytes)
                case .event(.format(let format)): hub.begin(format)
                case .event: break
                }
                return true
            }
            hub.flush()
        }
        return Int(hub.position.frames)
    }

    private func store(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        UnsafeMutableRawBufferPointer(rebasing: destination[offset...]).copyMemory(from: bytes)
        return bytes.count
    }

    private func forEachPiece(of bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { all in
            for start in stride(from: 0, to: all.count, by: Self.piece) {
                body(UnsafeRawBufferPointer(rebasing: all[start..<min(start + Self.piece, all.count)]))
            }
        }
    }
}
