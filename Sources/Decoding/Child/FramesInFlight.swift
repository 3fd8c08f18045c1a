// SPDX-License-Identifier: MIT

/// The frames that a decoder beside us has been given: those whose PCM has not come, and a few before them, which
/// another one would need to go on. A value.
///
/// Where PCM belongs is found by counting: each frame gives as many samples as it plays.
struct FramesInFlight {
    private struct Entry {
        /// Bytes.
        var length: Int
        var instant: Int64
        /// At the stream's rate.
        var samples: Int
    }

    /// Frames that are kept before the first one whose PCM has not come.
    static let kept = 3
    /// With more than these under way, no further frame is taken.
    static let mostFrames = 32
    static let mostBytes = 64 << 10
    /// The longest frame that an ADTS header can announce.
    private static let longestFrame = 8_191

    /// Samples of PCM for each of the stream, as a fraction: a decoder may double the rate.
    private(set) var (pcmRate, streamRate): (Int, Int)
    private var entries: [Entry] = []
    /// The bytes of all entries, in one piece: in steady state nothing is allocated.
    private var bytes: [UInt8] = []
    /// How many of the entries have come out whole.
    private var done = 0
    /// Samples of PCM that have come of the next one.
    private var doneOfNext = 0
    /// How many of the entries have been sent whole, and bytes of the next one.
    private var sent = 0
    private var sentOfNext = 0
    /// Samples of the stream that a new decoder gives once more.
    private var repeated = 0
    /// Where the next PCM belongs when no frame is left that it could be of.
    private var end: Int64 = 0

    init(streamRate: Int) {
        entries.reserveCapacity(Self.kept + Self.mostFrames + 1)
        bytes.reserveCapacity(Self.mostBytes + Self.longestFrame)
        self.streamRate = max(1, streamRate)
        pcmRate = self.streamRate
    }

    /// How many frames have not come out.
    var count: Int { entries.count - done }

    var isFull: Bool { count >= Self.mostFrames || bytes.count >= Self.mostBytes }

    var allAreSent: Bool { sent == entries.count }

    mutating func append(_ frame: UnsafeRawBufferPointer, at instant: Int64, samples: Int) {
        entries.append(Entry(length: frame.count, instant: instant, samples: samples))
        bytes.append(contentsOf: frame)
    }

    /// Gives what has not been sent to `send`, which says how much it has taken.
    mutating func sendRest(_ send: (UnsafeRawBufferPointer) -> Int) {
        guard sent < entries.count else { return }
        let start = entries[..<sent].reduce(sentOfNext) { $0 + $1.length }
        sentOfNext += max(0, bytes.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[start...])) })
        while sent < entries.count, sentOfNext >= entries[sent].length {
            sentOfNext -= entries[sent].length
            sent += 1
        }
    }

    /// Another decoder begins: everything at hand is to be sent again, and what has come will come again.
    mutating func startAgain() {
        repeated = entries[..<done].reduce(0) { $0 + $1.samples } + doneOfNext * streamRate / pcmRate
        (done, doneOfNext, sent, sentOfNext) = (0, 0, 0, 0)
    }

    /// No decoder gets along with these.
    mutating func forget() {
        if let last = entries.last { end = last.instant.addingReportingOverflow(Int64(last.samples)).partialValue }
        entries.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        (done, doneOfNext, sent, sentOfNext, repeated) = (0, 0, 0, 0, 0)
    }

    /// The decoder's PCM has this rate.
    mutating func setRate(_ rate: Int) {
        pcmRate = max(1, rate)
    }

    /// Takes note of samples of PCM that have come: of how many of them, all of one frame, is where they belong known,
    /// and where? Nil stands for samples that have come before.
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
        // While a new decoder repeats, what it is given is still needed should it end as well.
        let surplus = done - Self.kept
        guard surplus > 0, sent >= surplus else { return }
        bytes.removeFirst(entries[..<surplus].reduce(0) { $0 + $1.length })
        entries.removeFirst(surplus)
        done -= surplus
        sent -= surplus
    }
}
