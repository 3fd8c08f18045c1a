// SPDX-License-Identifier: MIT

/// Measures the mean bit rate of a file of frames whose head does not tell it, at places spread evenly over the file.
/// The bit rate of a file's beginning says little about the rest, because quiet beginnings need few bits.
///
/// A stepper like ``FileInspection``.
struct RateSamples {
    private let container: Container
    /// The reads still to come, in reverse order.
    private var reads: [FileRead]
    private var bytes = 0
    private var samples: Int64 = 0
    /// The bit rates of the frames seen.
    private var bitRates: Set<Int> = []

    /// The number of places.
    static let count = 16
    private static let length = 16 << 10

    /// Nil if the length of the file is known without samples, or follows from the part that was read already.
    init?(_ facts: AudioFileFacts) {
        guard facts.container == .mpeg || facts.container == .adts, facts.info?.frames == nil, facts.index == nil,
            let end = facts.audioEnd ?? facts.size, end - facts.audioStart > Int64(2 * Self.count * Self.length)
        else { return nil }
        container = facts.container
        let step = (end - facts.audioStart) / Int64(Self.count)
        reads = (0..<Self.count).reversed().map {
            FileRead(offset: facts.audioStart + step * Int64($0) + (step - Int64(Self.length)) / 2, count: Self.length)
        }
    }

    var next: FileRead? { reads.last }

    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        reads.removeLast()
        var framer = container.makeFramer()
        framer.append(bytes)
        while let event = framer.next() {
            guard case .frame(let frame) = event else { continue }
            self.bytes += frame.range.count
            samples += Int64(frame.samples)
            bitRates.insert(frame.bitRate)
        }
    }

    /// The facts with the measured rate. A bit rate that is the same everywhere is more exact than a measurement.
    func apply(to facts: AudioFileFacts) -> AudioFileFacts {
        guard samples > 0, !facts.isConstant || bitRates.count > 1 else { return facts }
        var facts = facts
        facts.isConstant = false
        facts.bytesPerSample = Double(bytes) / Double(samples)
        return facts
    }
}
