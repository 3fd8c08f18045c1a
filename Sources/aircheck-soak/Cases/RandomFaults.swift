// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import TestSupport

/// Checks framers with random faults in random order, for minutes and in every format. The faults are lost, inserted
/// and damaged bytes, lost frames, and both genuine and fake tags between frames. All frames between the faults must
/// come out, and at most one foreign frame per fault.
struct RandomFaults: SoakCase {
    let name = "random-faults"
    let hazard = "H7"

    func run(_ plan: SoakPlan) throws -> String {
        let end = SoakClock.seconds() + Int64(plan.minutes) * 60
        let encodings: [ReferenceProgramme.Encoding] = [.mp3(128), .mp3Variable(quality: 4), .mp2(192), .aac(128)]
        let programmes = try encodings.map { try ReferenceProgramme(.init($0, sampleRate: 48_000, seconds: 60)) }
        var random = SplitMix64(seed: plan.seed)
        var rounds = 0
        var faults = 0
        var memory: [Int] = []
        while SoakClock.seconds() < end {
            let programme = programmes[Int(random.next() % UInt64(programmes.count))]
            var faulty = FaultyStream(programme, seed: random.next())
            try faulty.addFaults()
            try faulty.check()
            rounds += 1
            faults += faulty.faults
            if rounds.isMultiple(of: 100) { memory.append(try ProcessFigures.residentKiB()) }
        }
        if let first = memory.dropFirst().first, let last = memory.last {
            try Harm.unless(last - first < 8 << 10, "memory grew from \(first) to \(last) KiB")
        }
        return "\(faults) faults in \(rounds) streams"
    }
}

/// Frames of a programme, interspersed with faults.
private struct FaultyStream {
    private let programme: ReferenceProgramme
    private var random: SplitMix64
    private var frames: [ArraySlice<UInt8>] = []
    private var bytes: [UInt8] = []
    /// The frames that must come out: no fault has touched them or a neighbouring frame.
    private var safe: [[UInt8]] = []
    private(set) var faults = 0

    init(_ programme: ReferenceProgramme, seed: UInt64) {
        self.programme = programme
        random = SplitMix64(seed: seed)
    }

    mutating func addFaults() throws {
        frames = try programme.checker().frames
        let first = Int(random.next() % 500)
        var sinceFault = 0
        for (number, frame) in frames[first..<first + 400].enumerated() {
            let isFaulty = number > 10 && number < 390 && random.next() % 12 == 0
            guard isFaulty else {
                bytes += frame
                sinceFault += 1
                // The framer may need the two frames after a fault to regain sync. A fault may also cost the frame
                // before it, which is removed below.
                if sinceFault > 3 { safe.append(Array(frame)) }
                continue
            }
            faults += 1
            if sinceFault > 3 { safe.removeLast() }
            sinceFault = 0
            addFault(in: frame)
        }
    }

    private mutating func addFault(in frame: ArraySlice<UInt8>) {
        var frame = Array(frame)
        let place = Int(random.next() % UInt64(frame.count))
        switch random.next() % 6 {
        case 0: frame.removeSubrange(place...)
        case 1: frame.insert(contentsOf: random.bytes(Int(random.next() % 3000)), at: place)
        case 2: frame[place] ^= UInt8(1 + random.next() % 255)
        case 3: frame = Array("ID3".utf8) + [4, 0, 0, 0x5F, 0, 0, 0] + frame
        case 4: frame = Array("ID3".utf8) + [4, 0, 0, 0, 0, 2, 0] + random.bytes(256) + frame
        default: frame = []
        }
        bytes += frame
    }

    func check() throws {
        let said =
            programme.parameters.encoding.container == .adts
            ? output(of: ADTSFramer()) : output(of: MPEGAudioFramer())
        try Harm.unless(said.accounted == bytes.count, "\(said.accounted) of \(bytes.count) bytes are accounted for")
        let missing = safe.count { !said.frames.contains($0) }
        // Occasionally, the header of a damaged frame points to a later frame by chance, and the frames between them
        // are lost.
        try Harm.unless(missing <= 2, "\(missing) undamaged frames are missing, \(faults) faults")
        let known = Set(frames.map { Array($0) })
        let foreign = said.frames.count { !known.contains($0) }
        try Harm.unless(foreign <= faults, "\(foreign) frames that are not of the programme, \(faults) faults")
    }

    private func output<F: Framer>(of framer: F) -> (frames: Set<[UInt8]>, accounted: Int) {
        var framer = framer
        var random = random
        var frames: Set<[UInt8]> = []
        var accounted = 0
        var rest = bytes[...]
        while true {
            let piece = rest.prefix(1 + Int(random.next() % 3000))
            rest = rest.dropFirst(piece.count)
            if piece.isEmpty { framer.finish() } else { piece.withUnsafeBytes { framer.append($0) } }
            while let event = framer.next() {
                switch event {
                case .frame(let frame):
                    framer.withBytes(of: frame) { _ = frames.insert(Array($0)) }
                    accounted += frame.range.count
                case .skipped(let count, _): accounted += count
                case .format, .title, .discontinuity, .missing, .wrongChecksum: break
                }
            }
            if piece.isEmpty { return (frames, accounted) }
        }
    }
}
