// SPDX-License-Identifier: MIT

/// The frames that a decoder process has been given: frames whose PCM is still missing, and a few frames before them,
/// which a new process would need to continue.
///
/// The position of PCM is found by counting: each frame gives as many samples as it plays.
struct FramesInFlight {
    private struct Entry {
        /// The length of the frame in bytes.
        var length: Int
        var instant: Int64
        /// The length of the frame in samples, at the stream's rate.
        var samples: Int
    }

    /// The number of frames kept before the first one whose PCM is missing.
    static let kept = 3
    /// While this many frames or bytes are under way, the decoder accepts no further frame.
    static let mostFrames = 32
    static let mostBytes = 64 << 10
    /// The longest frame that an ADTS header can announce.
    private static let longestFrame = 8_191

    /// The ratio of PCM samples to stream samples, as a fraction: a decoder may double the rate.
    private(set) var (pcmRate, streamRate): (Int, Int)
    /// The number of PCM samples for a sample of the stream.
    var ratio: Int { max(1, pcmRate / streamRate) }
    private var entries: [Entry] = []
    /// The bytes of all entries in one array, so that nothing is allocated in steady state.
    private var bytes: [UInt8] = []
    /// The number of entries whose PCM has come out completely.
    private var done = 0
    /// How many PCM samples of the next entry have come out.
    private var doneOfNext = 0
    /// The number of entries that have been sent completely, and the bytes sent of the next one.
    private var sent = 0
    private var sentOfNext = 0
    /// How many samples, at the stream's rate, a new decoder will output for the second time.
    private var repeated = 0
    /// The position of the next PCM if the PCM of all entries has come out.
    private var end: Int64 = 0

    init(streamRate: Int) {
        entries.reserveCapacity(Self.kept + Self.mostFrames + 1)
        bytes.reserveCapacity(Self.mostBytes + Self.longestFrame)
        self.streamRate = max(1, streamRate)
        pcmRate = self.streamRate
    }

    /// The number of frames whose PCM has not come out completely.
    var count: Int { entries.count - done }

    var isFull: Bool { count >= Self.mostFrames || bytes.count >= Self.mostBytes }

    var allAreSent: Bool { sent == entries.count }

    mutating func append(_ frame: UnsafeRawBufferPointer, at instant: Int64, samples: Int) {
        entries.append(Entry(length: frame.count, instant: instant, samples: samples))
        bytes.append(contentsOf: frame)
    }

    /// Passes the unsent bytes to `send`, which returns how many it has taken.
    mutating func sendRest(_ send: (UnsafeRawBufferPointer) -> Int) {
        guard sent < entries.count else { return }
        let start = entries[..<sent].reduce(sentOfNext) { $0 + $1.length }
        sentOfNext += max(0, bytes.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[start...])) })
        while sent < entries.count, sentOfNext >= entries[sent].length {
            sentOfNext -= entries[sent].length
            sent += 1
        }
    }

    /// Prepares for a new decoder: all entries will be sent again, so PCM that has already come out will come out
    /// again.
    mutating func startAgain() {
        // If the old decoder ended before it had repeated everything, the new decoder repeats the rest as well.
        repeated += entries[..<done].reduce(0) { $0 + $1.samples } + doneOfNext * streamRate / pcmRate
        (done, doneOfNext, sent, sentOfNext) = (0, 0, 0, 0)
    }

    /// Drops all entries, because no decoder can decode them.
    mutating func forget() {
        if let last = entries.last { end = last.instant.addingReportingOverflow(Int64(last.samples)).partialValue }
        entries.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        (done, doneOfNext, sent, sentOfNext, repeated) = (0, 0, 0, 0, 0)
    }

    /// Sets the rate of the decoder's PCM.
    mutating func setRate(_ rate: Int) {
        pcmRate = max(1, rate)
    }

    /// Counts up to `count` new PCM samples. Returns how many were counted, which all belong to one frame, and the
    /// position of the first sample; the position is nil if the samples have come out before.
    mutating func take(_ count: Int) -> (count: Int, instant: Int64?) {
        guard done < entries.count else {
            defer { end = end.addingReportingOverflow(Int64(count * streamRate / pcmRate)).partialValue }
            return (count, end)
        }
        let entry = entries[done]
        let left = entry.samples * pcmRate / streamRate - doneOfNext
        var taken = max(0, min(count, left))
        var instant: Int64?
        let toRepeat = repeated * pcmRate / streamRate
        if toRepeat > 0, taken > 0 {
            taken = min(taken, toRepeat)
            repeated -= min(repeated, taken * streamRate / pcmRate)
        } else {
            instant = entry.instant.addingReportingOverflow(Int64(doneOfNext * streamRate / pcmRate)).partialValue
        }
        doneOfNext += taken
        if taken >= left { advance(over: entry) }
        return (taken, instant)
    }

    private mutating func advance(over entry: Entry) {
        done += 1
        doneOfNext = 0
        end = entry.instant.addingReportingOverflow(Int64(entry.samples)).partialValue
        // A new decoder would need the last `kept` frames, and frames that are not sent yet are needed anyway.
        let surplus = done - Self.kept
        guard surplus > 0, sent >= surplus else { return }
        bytes.removeFirst(entries[..<surplus].reduce(0) { $0 + $1.length })
        entries.removeFirst(surplus)
        done -= surplus
        sent -= surplus
    }
}
