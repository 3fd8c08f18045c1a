// SPDX-License-Identifier: MIT

/// Finds the elements of LATM in LOAS (ISO/IEC 14496-3 §1.7.2, AudioSyncStream), and writes their frames as ADTS.
///
/// An element is read once the sync word of the next one stands at its end. Holds at most one element, of 8 KiB.
struct LOASReader {
    private static let headLength = 3

    private var buffer = FramingBuffer()
    private var element = LATMElement()
    /// Times that apply to the first element that begins at these places, or behind them.
    private var times: [(place: Int64, time: MediaTime)] = []
    /// Whether the last element ended where the buffer begins.
    private var isAligned = false
    /// Whether there has been audio.
    private(set) var hasAudio = false

    /// Takes the next bytes, and reads all elements that are whole.
    mutating func read(_ bytes: UnsafeRawBufferPointer, _ take: (Demuxed) -> Void) -> DemuxProblem? {
        buffer.append(bytes)
        return read(isFinal: false, take)
    }

    /// Takes the time of what begins behind the bytes so far.
    mutating func append(_ time: MediaTime) {
        let place = buffer.offset + Int64(buffer.count)
        // A time without an element that could have it is replaced.
        if times.last?.place == place || times.count > 8 { times.removeLast() }
        times.append((place, time))
    }

    /// Goes on after bytes that are missing.
    mutating func skipGap() {
        buffer.pass(buffer.count)
        (times, isAligned) = ([], false)
    }

    /// Reads all elements that are whole. `isFinal` says that an element may end where the bytes end.
    mutating func read(isFinal: Bool, _ take: (Demuxed) -> Void) -> DemuxProblem? {
        while true {
            switch buffer.withUnread({ Self.look($0, isFinal: isFinal) }) {
            case .wait: return nil
            case .junk(let count):
                lose(take)
                buffer.pass(count)
            case .element(let length):
                do throws(DemuxProblem) {
                    let frames = try readElement(length)
                    tellTimes(take)
                    isAligned = true
                    if !frames.isEmpty {
                        hasAudio = true
                        frames.withUnsafeBytes { take(.audio($0)) }
                    }
                } catch {
                    if case .unsupported = error { return error }
                    lose(take)
                }
                buffer.pass(length)
            }
        }
    }

    private mutating func lose(_ take: (Demuxed) -> Void) {
        if isAligned { take(.lost) }
        isAligned = false
    }

    /// The frames of the element at the front, as ADTS.
    private mutating func readElement(_ length: Int) throws(DemuxProblem) -> [UInt8] {
        var (element, frames) = (element, [UInt8]())
        let result = buffer.withUnread { bytes in
            let content = UnsafeRawBufferPointer(rebasing: bytes[Self.headLength..<length])
            return Result { () throws(DemuxProblem) in try element.write(content, to: &frames) }
        }
        self.element = element
        try result.get()
        return frames
    }

    private enum Look {
        case wait
        case element(Int)
        case junk(Int)
    }

    private static func look(_ bytes: UnsafeRawBufferPointer, isFinal: Bool) -> Look {
        guard bytes.count >= headLength else { return .wait }
        if isSync(bytes, 0) {
            let length = length(bytes, 0)
            if isFinal, bytes.count == length { return .element(length) }
            guard bytes.count >= length + 2 else { return .wait }
            if isSync(bytes, length) { return .element(length) }
        }
        // The last byte may begin a sync word.
        return .junk((1..<bytes.count - 1).first { isSync(bytes, $0) } ?? bytes.count - 1)
    }

    /// Eleven bits.
    static func isSync(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Bool {
        bytes[place] == 0x56 && bytes[place + 1] & 0xE0 == 0xE0
    }

    /// The length of the element at a place, with its head.
    static func length(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Int {
        headLength + (Int(bytes[place + 1] & 0x1F) << 8 | Int(bytes[place + 2]))
    }

    /// Tells the last time that applies to the element at the front.
    private mutating func tellTimes(_ take: (Demuxed) -> Void) {
        let due = times.prefix { $0.place <= buffer.offset }
        if let time = due.last?.time { take(.time(time)) }
        times.removeFirst(due.count)
    }
}
