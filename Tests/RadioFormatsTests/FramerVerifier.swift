// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Ways to cut an input into the pieces of successive `append`s.
enum Split: CustomStringConvertible {
    case whole
    case every(Int)
    case at(Int)
    /// Pieces of random length, some empty, a few long.
    case random(seed: UInt64)

    func pieces(of input: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        switch self {
        case .whole: return [input]
        case .every(let count):
            return stride(from: input.startIndex, to: input.endIndex, by: count).map {
                input[$0..<min($0 + count, input.endIndex)]
            }
        case .at(let place): return [input.prefix(place), input.dropFirst(place)]
        case .random(let seed):
            var generator = SplitMix64(seed: seed)
            var pieces: [ArraySlice<UInt8>] = []
            var rest = input
            while !rest.isEmpty {
                let longest = [3, 40, 700, 5000].randomElement(using: &generator) ?? 1
                let piece = rest.prefix(Int.random(in: 0...longest, using: &generator))
                pieces.append(piece)
                rest = rest.dropFirst(piece.count)
            }
            return pieces
        }
    }

    var description: String {
        switch self {
        case .whole: "whole"
        case .every(let count): "every \(count)"
        case .at(let place): "at \(place)"
        case .random(let seed): "random, seed \(seed)"
        }
    }
}

/// Feeds `input` to fresh framers whole, byte by byte, in two pieces and at random splits. All of them must yield the
/// same events and account for every byte. Repeats this for the input cut short at several places.
///
/// `twoPieceSplits` is the number of places, spread evenly, at which the input is cut in two (every byte if the input
/// is shorter). `randomSplits` is the number of random splits; their seeds count up from `seed`. `truncations` is the
/// number of random lengths to which the input is cut short.
///
/// - Returns: The events of the whole input.
@discardableResult
func expectSameEvents<F: Framer>(
    _ input: [UInt8], twoPieceSplits: Int = 24, randomSplits: Int = 8, truncations: Int = 6, seed: UInt64 = 1,
    sourceLocation: SourceLocation = #_sourceLocation, by makeFramer: () -> F = { MPEGAudioFramer() }
) -> FramerTranscript {
    let reference = FramerTranscript(of: [input[...]], by: makeFramer())
    expectSound(reference, of: input[...], "whole", sourceLocation)

    var splits: [Split] = [.every(1), .every(2), .every(3), .every(417), .every(4096)]
    splits += stride(from: 0, through: input.count, by: max(1, input.count / max(1, twoPieceSplits))).map { .at($0) }
    splits += (0..<UInt64(randomSplits)).map { .random(seed: seed &+ $0) }
    for split in splits {
        let transcript = FramerTranscript(of: split.pieces(of: input[...]), by: makeFramer())
        expectEqual(transcript, reference, "split \(split)", sourceLocation)
    }

    var generator = SplitMix64(seed: seed ^ 0x7472_756e)
    for _ in 0..<truncations {
        let short = input.prefix(Int.random(in: 0...input.count, using: &generator))
        let whole = FramerTranscript(of: [short], by: makeFramer())
        expectSound(whole, of: short, "cut to \(short.count) bytes", sourceLocation)
        let split = Split.random(seed: generator.next())
        let transcript = FramerTranscript(of: split.pieces(of: short), by: makeFramer())
        expectEqual(transcript, whole, "cut to \(short.count) bytes, split \(split)", sourceLocation)
    }
    return reference
}

/// Expects every byte to be accounted for, a format before the first frame, and frames in order and inside the input.
private func expectSound(
    _ transcript: FramerTranscript, of input: ArraySlice<UInt8>, _ what: String, _ sourceLocation: SourceLocation
) {
    #expect(!transcript.ranAway, "\(what): the framer does not come to an end", sourceLocation: sourceLocation)
    #expect(
        transcript.accounted == input.count, "\(what): frames + skipped must be the input",
        sourceLocation: sourceLocation)
    var hasFormat = false
    var last: Int64 = -1
    for entry in transcript.entries {
        switch entry {
        case .format: hasFormat = true
        case .frame(let frame):
            #expect(hasFormat, "\(what): a frame before any format", sourceLocation: sourceLocation)
            #expect(
                frame.offset > last || frame.bytes.isEmpty, "\(what): frame offsets must grow",
                sourceLocation: sourceLocation)
            #expect(frame.offset < Int64(input.count), "\(what): a frame outside", sourceLocation: sourceLocation)
            last = max(last, frame.offset)
        case .skipped(let count, _):
            #expect(count > 0, "\(what): a skip of nothing", sourceLocation: sourceLocation)
        case .title, .discontinuity, .missing: break
        }
    }
}

/// Reports only the first entry that differs, because a dump of two long transcripts is unreadable.
private func expectEqual(
    _ transcript: FramerTranscript, _ reference: FramerTranscript, _ what: String, _ sourceLocation: SourceLocation
) {
    guard transcript != reference else { return }
    let count = min(transcript.entries.count, reference.entries.count)
    let place = (0..<count).first { transcript.entries[$0] != reference.entries[$0] } ?? count
    Issue.record(
        """
        \(what): event \(place) of \(transcript.entries.count) differs from the one of \(reference.entries.count): \
        \(describe(transcript.entries, place)) instead of \(describe(reference.entries, place))
        """, sourceLocation: sourceLocation)
}

private func describe(_ entries: [FramerTranscript.Entry], _ place: Int) -> String {
    guard place < entries.count else { return "the end" }
    if case .frame(let frame) = entries[place] { return "frame of \(frame.bytes.count) bytes at \(frame.offset)" }
    return "\(entries[place])"
}
