// SPDX-License-Identifier: MIT

import Instants
import Platform
package import RadioFormats

/// Frames on their way from the loop to the sound thread: a bounded queue that copies, so that neither side holds
/// memory of the other. Thread-safe; no call blocks.
///
/// Two buffers change places: the loop fills one while the voice empties the other. In steady state nothing is
/// allocated. What lies in both is at most twice ``most`` of audio.
package final class FramePipe: Sendable {
    private let front = Monitor(PipeBatch())

    /// The loop hands over no more than this at a time; the rest waits in the ring.
    private static let most = Duration.seconds(1)
    private static let mostBytes = 128 << 10
    private static let mostRecords = 1_024

    package init() {}

    /// Whether the loop may hand over more. A frame may be of any size, so the bound is passed by one frame at most.
    package var hasRoom: Bool {
        front.withLock { batch in
            batch.media < Self.most && batch.bytes.count < Self.mostBytes && batch.records.count < Self.mostRecords
        }
    }

    /// The frames that follow need a decoder of their own.
    package func begin(_ run: Run) {
        front.withLock { batch in
            batch.records.append(.init(kind: .run))
            batch.runs.append(run)
        }
    }

    /// One whole frame: its number, where it begins in samples of its format, how long it plays, and where it ends in
    /// the programme.
    package func put(_ frame: UnsafeRawBufferPointer, number: Int64, instant: Int64, length: Duration, end: Duration) {
        front.withLock { batch in
            batch.records.append(
                .init(kind: .frame, length: frame.count, number: number, instant: instant, end: end))
            batch.bytes.append(contentsOf: frame)
            batch.media += length
        }
    }

    /// PCM of the run from this place on is not heard: see ``Run/last``.
    package func limit(to last: Int64) {
        front.withLock { $0.records.append(.init(kind: .limit, instant: last)) }
    }

    /// Something that is to be told when the audio behind it begins to be heard.
    package func mark(_ number: Int64) {
        front.withLock { $0.records.append(.init(kind: .mark, number: number)) }
    }

    /// Nothing follows: what came before is to be heard to its end.
    package func end() {
        front.withLock { $0.records.append(.init(kind: .end)) }
    }

    /// Drops what has not been taken, and tells the voice to drop what has not been heard.
    package func restart() {
        front.withLock { batch in
            batch.clear()
            batch.generation += 1
            (batch.isAwaited, batch.wasRestarted) = (true, true)
        }
    }

    /// Whether there is something that the voice waits for; false from the call on. Who has put it there wakes it then.
    ///
    /// Where there is nothing the voice stays asleep: each of its turns tells the loop how far it is, and the loop looks
    /// for more frames each time, so that the two would keep each other awake.
    package func takeHunger() -> Bool {
        front.withLock { batch in
            guard batch.isAwaited, !batch.records.isEmpty || batch.wasRestarted else { return false }
            (batch.isAwaited, batch.wasRestarted) = (false, false)
            return true
        }
    }

    // MARK: The voice's side

    /// Counts ``restart()``.
    var generation: Int { front.withLock { $0.generation } }

    /// Exchanges an emptied batch for what has been put. Where nothing has been, the voice counts as hungry.
    func exchange(_ back: inout PipeBatch) {
        front.withLock { front in
            guard !front.records.isEmpty || front.generation != back.generation else {
                front.isAwaited = true
                return
            }
            let generation = front.generation
            swap(&front, &back)
            front.clear()
            front.generation = generation
            (front.isAwaited, front.wasRestarted) = (back.records.isEmpty, false)
        }
    }
}

/// How a run of frames begins, all of one format, each following the one before.
package struct Run: Sendable {
    package var format: StreamFormat
    /// PCM before this place is not heard: frames in front of it only warm the decoder up. In samples of the format.
    package var first: Int64
    /// PCM from this place on is not heard: padding of the encoder. Nil where there is none.
    package var last: Int64?
    /// Whether its audio goes on from the run before it, without a fade.
    package var follows: Bool
    /// The source that it is of, by its id.
    package var source = 0

    package init(format: StreamFormat, first: Int64 = .min, last: Int64? = nil, follows: Bool = false) {
        self.format = format
        self.first = first
        self.last = last
        self.follows = follows
    }
}

/// One of the two buffers of a ``FramePipe``.
struct PipeBatch: Sendable {
    enum Kind: UInt8, Sendable {
        case run, frame, limit, mark, end
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
    var runs: [Run] = []
    var media = Duration.zero
    /// Counts ``FramePipe/restart()``.
    var generation = 0
    /// Whether the voice has found nothing, or has to hear of a restart.
    var isAwaited = false
    var wasRestarted = false
    // Where the voice has come to.
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
