// SPDX-License-Identifier: MIT

import Platform
package import RadioFormats

/// A bounded queue of frames from the loop to the sound thread. It copies them, so that neither side holds memory of
/// the other. Thread-safe; no call blocks.
///
/// It is double-buffered: the loop fills one batch while the voice empties the other. In steady state nothing is
/// allocated. Each batch holds at most ``most`` of audio and the frames that the loop puts at once.
package final class FramePipe: Sendable {
    private let front = Monitor(PipeBatch())

    /// When a batch holds this much audio, it is full; the rest waits in the ring.
    private static let most = Duration.seconds(1)
    private static let mostBytes = 128 << 10
    private static let mostRecords = 1_024

    package init() {}

    /// Whether the batch being filled is below its bounds. The next frames may exceed them: their size is not checked.
    package var hasRoom: Bool {
        front.withLock { batch in
            batch.media < Self.most && batch.bytes.count < Self.mostBytes && batch.records.count < Self.mostRecords
        }
    }

    /// Begins a run: the frames that follow need a new decoder.
    package func begin(_ run: PipeRun) {
        front.withLock { batch in
            batch.records.append(.init(kind: .run))
            batch.runs.append(run)
        }
    }

    /// Puts one whole frame, which begins at sample `instant` of its format and ends at `end` on the player's timeline.
    package func put(_ frame: UnsafeRawBufferPointer, number: Int64, instant: Int64, length: Duration, end: Duration) {
        front.withLock { batch in
            batch.records.append(
                .init(kind: .frame, length: frame.count, number: number, instant: instant, end: end))
            batch.bytes.append(contentsOf: frame)
            batch.media += length
        }
    }

    /// Cuts off the run's PCM from sample `last` on: see ``PipeRun/last``.
    package func limit(to last: Int64) {
        front.withLock { $0.records.append(.init(kind: .limit, instant: last)) }
    }

    /// Puts a cue, which is reported when the audio after it begins to be heard.
    package func cue(_ number: Int64) {
        front.withLock { $0.records.append(.init(kind: .cue, number: number)) }
    }

    /// Ends the audio: everything before is played to its end.
    package func end() {
        front.withLock { $0.records.append(.init(kind: .end)) }
    }

    /// Drops everything not yet taken, and makes the voice drop all audio not yet heard.
    package func restart() {
        front.withLock { batch in
            batch.clear()
            batch.generation += 1
            (batch.isAwaited, batch.wasRestarted) = (true, true)
        }
    }

    /// Returns true once if the voice waits for something that has been put. The caller then wakes the voice.
    ///
    /// Without new records the voice must stay asleep: each of its turns reports to the loop, and each report makes the
    /// loop look for more frames, so that the two would keep each other awake.
    package func takeHunger() -> Bool {
        front.withLock { batch in
            guard batch.isAwaited, !batch.records.isEmpty || batch.wasRestarted else { return false }
            (batch.isAwaited, batch.wasRestarted) = (false, false)
            return true
        }
    }

    // MARK: The voice's side

    /// Counts calls of ``restart()``.
    var generation: Int { front.withLock { $0.generation } }

    /// Empties a batch if the pipe has been restarted since the last call. Returns whether it has been.
    func takeRestart(_ back: inout PipeBatch) -> Bool {
        front.withLock { front in
            guard front.generation != back.generation else { return false }
            back.clear()
            (back.generation, front.wasRestarted) = (front.generation, false)
            return true
        }
    }

    /// Swaps an emptied batch for the filled one. If nothing has been put, swaps nothing and marks the voice as
    /// waiting. A restart has to be taken first: until then the voice still has audio that it must drop.
    func exchange(_ back: inout PipeBatch) {
        front.withLock { front in
            guard !front.records.isEmpty, front.generation == back.generation else {
                front.isAwaited = true
                return
            }
            swap(&front, &back)
            front.clear()
            front.isAwaited = false
        }
    }
}

/// The start of a run. A run consists of consecutive frames of one format, for one decoder.
package struct PipeRun: Sendable {
    package var format: StreamFormat
    /// The first sample to be heard, in samples of the format; frames before it are pre-roll for the decoder.
    package var first: Int64 = .min
    /// The end of the samples to be heard, exclusive, in the same count: encoder padding follows. Nil until
    /// ``FramePipe/limit(to:)`` states it.
    var last: Int64?
    /// Whether its audio continues the run before it without a fade.
    package var follows = false
    /// The id of the source that the run's frames belong to.
    package var source = 0
    /// Whether the frames come from a station, whose clock differs from the sound card's, so that playback has to
    /// follow it. All other audio is played unchanged.
    package var followsClock = false
}

/// One of the two buffers of a ``FramePipe``.
struct PipeBatch: Sendable {
    enum Kind: UInt8, Sendable {
        case run, frame, limit, cue, end
    }

    struct Record: Sendable {
        var kind: Kind
        var length = 0
        var number: Int64 = 0
        var instant: Int64 = 0
        var end = Duration.zero
    }

    var records: [Record] = []
    var bytes: [UInt8] = []
    var runs: [PipeRun] = []
    var media = Duration.zero
    /// Counts calls of ``FramePipe/restart()``.
    var generation = 0
    /// Whether the voice waits to be woken, because it found no frames, or because it has to handle a restart.
    var isAwaited = false
    /// Whether the voice has not been woken for a restart yet.
    var wasRestarted = false
    // How far the voice has read.
    var nextRecord = 0
    var nextByte = 0
    var nextRun = 0

    var isEmpty: Bool { nextRecord == records.count }

    mutating func clear() {
        records.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        runs.removeAll(keepingCapacity: true)
        media = .zero
        (nextRecord, nextByte, nextRun) = (0, 0, 0)
    }
}
