// SPDX-License-Identifier: MIT

/// Separates a SHOUTcast/Icecast stream into audio and, after every `interval` bytes of it, a metadata block.
///
/// It copies no audio, but returns which of the caller's bytes are audio. Any split of the input yields the same audio
/// and the same blocks. A demuxer starts at the first byte of a response body and serves one connection.
package struct ICYDemuxer: Sendable {
    private enum State {
        case audio(left: Int)
        case length
        case block(left: Int)
    }

    /// The plausible intervals. A header with any other value is ignored.
    package static let intervals = 1...(1 << 20)

    /// The number of audio bytes between two blocks; nil if the stream contains no blocks.
    package let interval: Int?
    /// The number of audio bytes so far.
    package private(set) var audioBytes: Int64 = 0
    private var state: State
    private var block: [UInt8] = []

    /// Creates a demuxer. An interval outside ``intervals`` means plain audio.
    package init(interval: Int?) {
        if let interval, Self.intervals.contains(interval) {
            self.interval = interval
            state = .audio(left: interval)
        } else {
            self.interval = nil
            state = .audio(left: .max)
        }
    }

    /// Parses the value of the `icy-metaint` header; nil if it is not a plausible interval.
    package static func interval(ofHeader value: String) -> Int? {
        let digits = value.utf8.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            .prefix(while: \.isDigit)
        return Int(String(Substring(digits))).flatMap { intervals.contains($0) ? $0 : nil }
    }

    /// Returns the next event in `input` from `offset` on, and moves `offset` past it; nil once all of `input` is used
    /// up.
    ///
    /// An empty block (a length byte of 0) produces no event.
    package mutating func next(in input: UnsafeRawBufferPointer, at offset: inout Int) -> ICYEvent? {
        while offset < input.count {
            switch state {
            case .audio(let left):
                let count = min(left, input.count - offset)
                let range = offset..<offset + count
                if interval != nil { state = count == left ? .length : .audio(left: left - count) }
                offset = range.upperBound
                audioBytes += Int64(count)
                return .audio(range)
            case .length:
                let length = Int(input[offset]) * 16
                offset += 1
                if length == 0 {
                    state = nextAudio
                } else {
                    block.reserveCapacity(length)
                    state = .block(left: length)
                }
            case .block(let left):
                let count = min(left, input.count - offset)
                block.append(contentsOf: input[offset..<offset + count])
                offset += count
                if count == left {
                    defer { block = [] }
                    state = nextAudio
                    return .metadata(ICYBlock(bytes: block, audioOffset: audioBytes))
                }
                state = .block(left: left - count)
            }
        }
        return nil
    }

    private var nextAudio: State { .audio(left: interval ?? .max) }
}
