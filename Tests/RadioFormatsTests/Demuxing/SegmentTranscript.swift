// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport

/// Everything that a demuxer yields for some segments, so that two runs can be compared.
struct SegmentTranscript: Equatable {
    enum Entry: Equatable {
        case container(Container)
        /// Adjacent pieces of audio are one entry, because demuxers may split it arbitrarily.
        case audio([UInt8])
        case time(MediaTime)
        case tag([UInt8])
        case lost
    }

    private(set) var entries: [Entry] = []
    private(set) var problem: DemuxProblem?

    /// Feeds segments to a demuxer, each cut into pieces.
    init<D: Demuxer>(of segments: [[UInt8]], cut: Split = .whole, endsSegments: Bool = true, by demuxer: D) {
        var demuxer = demuxer
        do throws(DemuxProblem) {
            for segment in segments {
                demuxer.segmentBegins()
                for piece in cut.pieces(of: segment[...]) {
                    // The bytes lie alone in memory, so that a read behind them would be noticed.
                    let bytes = Array(piece)
                    let result = bytes.withUnsafeBytes { bytes in
                        Result { () throws(DemuxProblem) in try demuxer.push(bytes) { take($0) } }
                    }
                    try result.get()
                }
                if endsSegments { try demuxer.segmentEnds { take($0) } }
            }
            try demuxer.finish { take($0) }
        } catch {
            problem = error
        }
    }

    private mutating func take(_ output: Demuxed) {
        switch output {
        case .container(let container): entries.append(.container(container))
        case .audio(let bytes):
            if case .audio(let before)? = entries.last {
                entries[entries.count - 1] = .audio(before + bytes)
            } else {
                entries.append(.audio(Array(bytes)))
            }
        case .time(let time): entries.append(.time(time))
        case .tag(let bytes): entries.append(.tag(Array(bytes)))
        case .lost: entries.append(.lost)
        }
    }

    var audio: [UInt8] {
        entries.flatMap { entry -> [UInt8] in
            if case .audio(let bytes) = entry { bytes } else { [] }
        }
    }

    var containers: [Container] {
        entries.compactMap { entry in
            if case .container(let container) = entry { container } else { nil }
        }
    }

    var times: [Int64] {
        entries.compactMap { entry in
            if case .time(let time) = entry { time.ticks } else { nil }
        }
    }

    var tags: [[UInt8]] {
        entries.compactMap { entry in
            if case .tag(let bytes) = entry { bytes } else { nil }
        }
    }

    var losses: Int { entries.count { $0 == .lost } }

    /// The frames in the audio, with their times; framed anew after each loss, as the protocol says.
    var frames: [TimedFrame] {
        var (frames, audio, times) = ([TimedFrame](), [UInt8](), [(place: Int, time: Int64)]())
        var container: Container?
        func end() {
            guard let container, !audio.isEmpty else { return }
            let said: FramerTranscript
            switch container {
            case .adts: said = FramerTranscript(of: [audio[...]], by: ADTSFramer())
            default: said = FramerTranscript(of: [audio[...]], by: MPEGAudioFramer())
            }
            for frame in said.frames {
                let due = times.prefix { $0.place <= frame.offset }
                frames.append(TimedFrame(bytes: frame.bytes, time: due.last?.time))
                times.removeFirst(due.count)
            }
            (audio, times) = ([], [])
        }
        for entry in entries {
            switch entry {
            case .container(let next):
                end()
                container = next
            case .audio(let bytes): audio += bytes
            case .time(let time): times.append((audio.count, time.ticks))
            case .lost: end()
            case .tag: break
            }
        }
        end()
        return frames
    }
}

struct TimedFrame: Hashable {
    let bytes: [UInt8]
    /// In ticks of 90 kHz; nil if no time was said for this frame.
    let time: Int64?
}
