// SPDX-License-Identifier: MIT

/// Seeks among frames without timestamps: estimates an offset, then searches for a frame there.
struct FrameSeek {
    private let facts: AudioFileFacts
    /// The number of samples that a decoder outputs before the first audible sample.
    private let lead: Int64
    /// The wanted sample, counted from the decoder's first output.
    private let target: Int64
    private var framer: any Framer
    private var offset: Int64
    private let start: Int64
    private var reads = 0
    private(set) var place: SeekPlace?

    private static let chunk = 16 << 10
    private static let mostReads = 4

    init(_ facts: AudioFileFacts, to target: Int64) {
        lead = facts.trim.start
        self.facts = facts
        self.target = target.addingSaturated(lead)
        framer = facts.container.makeFramer()
        let last = max(facts.audioStart, (facts.audioEnd ?? facts.size ?? .max).addingSaturated(-1))
        let reckoned = Self.reckoned(facts, self.target)
        offset = min(max(facts.audioStart, reckoned), last)
        start = offset
        if target == 0 { place = SeekPlace(offset: facts.audioStart, sample: -lead) }
    }

    var next: FileRead? { place == nil ? FileRead(offset: offset, count: Self.chunk) : nil }

    mutating func take(_ bytes: UnsafeRawBufferPointer, isEnd: Bool) {
        reads += 1
        offset += Int64(bytes.count)
        framer.append(bytes)
        if isEnd { framer.finish() }
        var found: SeekPlace?
        while let event = framer.next() {
            guard case .frame(let frame) = event else { continue }
            let here = place(of: frame)
            // If positions are known, take the last frame that begins no later than the target; otherwise the first
            // frame.
            if found == nil || bytesPerSample != nil && here.sample <= target - lead { found = here } else { break }
        }
        if found == nil, isEnd || reads >= Self.mostReads {
            found = SeekPlace(offset: start, sample: target - lead)
        }
        place = found
    }

    /// The bytes of a sample, if they tell which frame a byte belongs to: frames have one size.
    private var bytesPerSample: Double? {
        facts.isConstant && facts.frameSamples > 0 ? facts.bytesPerSample.flatMap { $0 > 0 ? $0 : nil } : nil
    }

    private func place(of frame: Frame) -> SeekPlace {
        let offset = start + frame.offset
        guard let bytesPerSample else { return SeekPlace(offset: offset, sample: target - lead) }
        let number = (Double(offset - facts.audioStart) / bytesPerSample / Double(facts.frameSamples)).rounded()
        let sample = Int64(clampingRounded: number).multipliedSaturated(by: Int64(facts.frameSamples))
        return SeekPlace(offset: offset, sample: sample - lead)
    }

    private static func reckoned(_ facts: AudioFileFacts, _ target: Int64) -> Int64 {
        let all = facts.info.flatMap { info in info.frames.map { Double($0) * Double(info.samples) } } ?? 0
        // Tables say nothing about audio after the part of the file that the info frame describes.
        let info = all > 0 && Double(target) >= all ? nil : facts.info
        if let info, !info.runs.isEmpty { return facts.infoStart.addingSaturated(bytes(before: target, info)) }
        if let info, info.kind == .xing, info.places.count == 100, all > 0,
            let bytes = info.bytes ?? (facts.audioEnd ?? facts.size).map({ $0 - facts.infoStart })
        {
            let share = min(99.99, Double(target) / all * 100)
            let index = Int(share)
            let (from, to) = (Double(info.places[index]), index < 99 ? Double(info.places[index + 1]) : 256)
            let part = (from + (to - from) * (share - Double(index))) / 256
            return facts.infoStart.addingSaturated(Int64(clampingRounded: part * Double(bytes)))
        }
        guard let perSample = facts.bytesPerSample else { return facts.audioStart }
        // The search begins two frames early, so that the target's frame is scanned from its beginning.
        let samples = max(0, target - (facts.isConstant ? 2 * Int64(facts.frameSamples) : 0))
        return facts.audioStart.addingSaturated(Int64(clampingRounded: Double(samples) * perSample))
    }

    /// The bytes before `target`, from VBRI's table of runs.
    private static func bytes(before target: Int64, _ info: MPEGInfoFrame) -> Int64 {
        let perRun = max(1, Int64(info.framesPerRun).multipliedSaturated(by: Int64(info.samples)))
        let (whole, rest) = target.quotientAndRemainder(dividingBy: perRun)
        let count = min(info.runs.count, Int(clamping: whole))
        let before = info.runs[..<count].reduce(Int64(info.length)) { $0.addingSaturated($1) }
        guard count < info.runs.count else { return before }
        return before.addingSaturated(Int64(Double(info.runs[count]) * Double(rest) / Double(perRun)))
    }
}
