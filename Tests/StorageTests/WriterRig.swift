// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools

/// A writer without a thread, on a clock that the test advances, and its reports.
final class WriterRig {
    let folder: TemporaryFolder
    let system: FaultySystem
    let queue: WriterQueue
    let engine: WriterEngine
    let writer: SegmentWriter
    private let clock: Monitor<MonotonicInstant>
    private let reportsSeen = Monitor<[WriterReport]>([])

    /// If `searchesAlways`, each client may search its folder for unfinished files.
    init(
        limits: WriterLimits = WriterLimits(), folder: TemporaryFolder? = nil, subfolder: String = "",
        searchesAlways: Bool = true, floor: FreeSpaceFloor = .none
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        let clock = Monitor(MonotonicInstant(nanoseconds: 1_000_000_000))
        var limits = limits
        if searchesAlways { limits.searchAgain = .zero }
        self.folder = folder
        self.clock = clock
        system = FaultySystem()
        queue = WriterQueue(limits: limits, clock: { clock.withLock { $0 } })
        engine = WriterEngine(queue: queue, system: system)
        let seen = reportsSeen
        writer = SegmentWriter(queue: queue, root: folder.path + subfolder, floor: floor) { report in
            seen.withLock { $0.append(report) }
        }
    }

    deinit {
        writer.detach()
        engine.turn(now: now)
    }

    var now: MonotonicInstant { clock.withLock { $0 } }

    var reports: [WriterReport] { reportsSeen.withLock { $0 } }

    /// Lets time pass in steps of 100 ms. The engine gets a turn at each step and at the deadline that it asked for.
    func pass(_ duration: Duration = .zero) {
        let end = now + duration
        while true {
            var deadline = engine.turn(now: now)
            while let next = deadline, next <= now { deadline = engine.turn(now: now) }
            guard now < end else { return }
            let next = min(end, now + .milliseconds(100))
            let isEarly = deadline.map { $0 > now && $0 < next } ?? false
            clock.withLock { $0 = isEarly ? deadline ?? next : next }
        }
    }

    /// Each of these bytes `count` times, one after the other.
    static func bytes(_ values: ClosedRange<UInt8>, each count: Int) -> [UInt8] {
        values.flatMap { [UInt8](repeating: $0, count: count) }
    }

    /// A slice of a slab with one frame of `count` equal bytes.
    static func slice(_ byte: UInt8, _ count: Int) -> SlabSlice {
        let slab = Slab(format: format, capacity: count)
        let bytes = [UInt8](repeating: byte, count: count)
        _ = bytes.withUnsafeBytes { slab.append($0, .init(samples: 1_152, backReference: 0)) }
        return SlabSlice(slab, 0..<count)
    }

    /// A silent frame of layer III with 128 kbit/s and 44.1 kHz. Its ancillary data contains the number.
    static func frame(_ number: Int) -> [UInt8] {
        var frame = [UInt8](repeating: 0, count: 417)
        frame.replaceSubrange(0..<4, with: [0xFF, 0xFB, 0x90, 0x44])
        frame[416] = UInt8(truncatingIfNeeded: number)
        return frame
    }

    static let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 2)
}

extension WriterReport {
    var finished: FileFacts? { if case .finished(_, let facts, _) = self { facts } else { nil } }
    var abandoned: (facts: FileFacts, lost: Int64)? {
        if case .abandoned(_, let facts, let lost, _) = self { (facts, lost) } else { nil }
    }
    var cut: (id: FileID, facts: FileFacts, error: StorageError)? {
        if case .cut(let id, let facts, let error) = self { (id, facts, error) } else { nil }
    }
    var failing: StorageError? { if case .failing(let error) = self { error } else { nil } }
    var isResumed: Bool { if case .resumed = self { true } else { false } }
    var isDrained: Bool { if case .drained = self { true } else { false } }
}
