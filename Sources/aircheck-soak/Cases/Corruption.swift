// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import TestSupport

/// Checks the framers with an hour of audio of every kind that has a wrong byte in every 4 kB: at most two frames are
/// lost per wrong byte, and at most three in a row.
struct Corruption: SoakCase {
    let name = "corruption"
    let hazard = "B2"

    func run(_ plan: SoakPlan) throws -> String {
        var told: [String] = []
        for encoding in [ReferenceProgramme.Encoding.mp3(128), .mp3Variable(quality: 4), .mp2(192), .aac(128)] {
            let programme = try ReferenceProgramme(.init(encoding, sampleRate: 48_000, seconds: 3600))
            let frames = try programme.checker().frames.map(\.indices)
            var random = SplitMix64(seed: plan.seed)
            var bytes = programme.bytes
            var hits = 0
            for start in stride(from: 8192, to: bytes.count - 8192, by: 4096) {
                bytes[start + Int(random.next() % 4096)] ^= UInt8(1 + random.next() % 255)
                hits += 1
            }
            let kept =
                encoding.container == .adts
                ? try places(in: bytes, by: ADTSFramer())
                : try places(in: bytes, by: MPEGAudioFramer())
            let lost = frames.indices.filter { !kept.contains(frames[$0]) }
            let foreign = kept.count - (frames.count - lost.count)
            try Harm.unless(lost.count <= 2 * hits, "\(encoding): \(hits) wrong bytes cost \(lost.count) frames")
            // By chance, the header of a damaged frame can point exactly to a later frame, so a few foreign frames are
            // allowed.
            try Harm.unless(foreign <= hits / 2000, "\(encoding): \(foreign) frames are not of the programme")
            var run = 0
            for frame in frames {
                run = kept.contains(frame) ? 0 : run + 1
                try Harm.unless(run <= 3, "\(encoding): \(run) frames in a row are lost at byte \(frame.lowerBound)")
            }
            told.append("\(encoding): \(hits) wrong bytes cost \(lost.count) of \(frames.count) frames")
        }
        return told.joined(separator: "; ")
    }

    private func places<F: Framer>(in bytes: [UInt8], by framer: F) throws -> Set<Range<Int>> {
        var framer = framer
        var places: Set<Range<Int>> = []
        var accounted = 0
        func drain() {
            while let event = framer.next() {
                switch event {
                case .frame(let frame):
                    places.insert(Int(frame.offset)..<Int(frame.offset) + frame.range.count)
                    accounted += frame.range.count
                case .skipped(let count, _): accounted += count
                case .format, .title, .discontinuity, .missing, .wrongChecksum: break
                }
            }
        }
        for start in stride(from: 0, to: bytes.count, by: 1400) {
            bytes[start..<min(start + 1400, bytes.count)].withUnsafeBytes { framer.append($0) }
            drain()
        }
        framer.finish()
        drain()
        try Harm.unless(accounted == bytes.count, "\(accounted) of \(bytes.count) bytes are accounted for")
        return places
    }
}
