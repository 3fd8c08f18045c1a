// SPDX-License-Identifier: MIT

/// Inspects the head of a file of consecutive frames: MPEG audio and ADTS.
struct FrameInspection: HeadInspection {
    private let container: Container
    private var framer: any Framer
    private(set) var hasBegun = false

    private var start: Int64 = 0
    /// The number of bytes that the framer has passed.
    private var passed = 0
    private var chunks = 0

    private var format: StreamFormat?
    private var infoStart: Int64?
    private var frames: [Frame] = []

    private static let mostChunks = 4

    init(_ container: Container) {
        self.container = container
        framer = container.makeFramer()
    }

    /// Room for an ID3v1 tag, and for the footer of an APE tag before it.
    func tail(isThorough: Bool) -> Int? { ID3v1Tag.length + 32 }

    mutating func take(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool) -> HeadFinding {
        if !hasBegun { start = offset }
        hasBegun = true
        chunks += 1
        framer.append(bytes)
        if isEnd { framer.finish() }
        while let event = framer.next() { take(event) }
        if frames.count < 2, !isEnd, chunks < Self.mostChunks { return .read(at: offset + Int64(bytes.count)) }
        return facts.map { .found($0) } ?? .nothing
    }

    private mutating func take(_ event: FramerEvent) {
        switch event {
        case .format(let format): self.format = self.format ?? format
        case .frame(let frame):
            frames.append(frame)
            passed += frame.range.count
        case .skipped(let count, let reason):
            if reason == .infoFrame, infoStart == nil, framer.infoFrame != nil { infoStart = start + Int64(passed) }
            passed += count
        case .title, .discontinuity, .missing, .wrongChecksum: break
        }
    }

    private var facts: AudioFileFacts? {
        guard let format, let first = frames.first else { return nil }
        var facts = AudioFileFacts(container: container, codec: format.codec, sampleRate: format.sampleRate)
        facts.audioStart = start + first.offset
        let info = framer.infoFrame
        (facts.info, facts.infoStart) = (info, infoStart ?? facts.audioStart)
        let samples = frames.reduce(0) { $0 + $1.samples }
        facts.frameSamples = frames.allSatisfy { $0.samples == first.samples } ? first.samples : 0
        facts.isConstant =
            first.bitRate > 0 && (info?.kind ?? .info) == .info
            && frames.allSatisfy { $0.bitRate == first.bitRate }
        let measured = frames.reduce(0) { $0 + $1.range.count }
        if facts.isConstant, format.sampleRate > 0 {
            // This value is exact, unlike the mean of the few frames that were read.
            facts.bytesPerSample = Double(first.bitRate) / 8 / Double(format.sampleRate)
        } else if let info, let frames = info.frames, let bytes = info.bytes, info.isPlausible(bytes: nil) {
            let all = Double(frames) * Double(first.samples)
            facts.bytesPerSample = Double(max(0, bytes - Int64(info.length))) / max(1, all)
        } else if samples > 0 {
            facts.bytesPerSample = Double(measured) / Double(samples)
        }
        return facts
    }

    func takeTail(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ facts: inout AudioFileFacts) -> Bool {
        var end = bytes.count
        if end >= ID3v1Tag.length, let tag = ID3v1Tag(Array(bytes[(end - ID3v1Tag.length)..<end])) {
            end -= ID3v1Tag.length
            facts.title = tag.streamTitle
        }
        var length = 0
        if end >= 32, bytes[(end - 32)...].starts(with: "APETAGEX".utf8) {
            let size: UInt32 = bytes.littleEndian(at: end - 20)
            let flags: UInt32 = bytes.littleEndian(at: end - 12)
            // The stated size of an APE tag includes the footer, but not the header.
            length = Int(size) + (flags & 0x8000_0000 != 0 ? 32 : 0)
        }
        facts.audioEnd = max(facts.audioStart, offset + Int64(end) - Int64(length))
        return true
    }
}
