// SPDX-License-Identifier: MIT

/// Reads the AAC of a transport stream: ADTS, which passes through, or LATM. Three frames in sequence show which it is,
/// because some stations state the one and send the other. Until then, at most 16 KiB are held.
struct AACStream {
    private static let (enough, mostHeld) = (3, 16 << 10)

    private let isStatedLATM: Bool
    /// Nil until the bytes have shown it.
    private var isLATM: Bool?
    private var loas = LOASReader()
    private var held: [UInt8] = []
    /// The times that are held, with their places in `held`.
    private var times: [(place: Int, time: MediaTime)] = []
    /// The bytes that are held begin no three frames before this place.
    private var searched = 0

    init(isStatedLATM: Bool) { self.isStatedLATM = isStatedLATM }

    /// Whether there is nothing but LATM of which no element was read.
    var lacksAudio: Bool { (isLATM ?? isStatedLATM) && !loas.hasAudio }

    /// Takes the next bytes.
    mutating func read(_ bytes: UnsafeRawBufferPointer, _ take: (Demuxed) -> Void) -> DemuxProblem? {
        guard isLATM == nil else { return pass(bytes, take) }
        held.append(contentsOf: bytes)
        isLATM = search()
        return isLATM != nil || held.count > Self.mostHeld ? release(take) : nil
    }

    /// Takes the time of what begins behind the bytes so far.
    mutating func read(_ time: MediaTime, _ take: (Demuxed) -> Void) {
        guard isLATM == nil else { return pass(time, take) }
        // A time without bytes that could have it is replaced.
        if times.last?.place == held.count { times.removeLast() }
        times.append((held.count, time))
    }

    /// Goes on after bytes that are missing.
    mutating func skipGap(_ take: (Demuxed) -> Void) {
        _ = release(take)
        loas.skipGap()
    }

    /// Reads what there is to its end.
    mutating func readToEnd(_ take: (Demuxed) -> Void) -> DemuxProblem? {
        release(take) ?? loas.read(isFinal: true, take)
    }

    private mutating func pass(_ bytes: UnsafeRawBufferPointer, _ take: (Demuxed) -> Void) -> DemuxProblem? {
        if isLATM ?? isStatedLATM { return loas.read(bytes, take) }
        if !bytes.isEmpty { take(.audio(bytes)) }
        return nil
    }

    private mutating func pass(_ time: MediaTime, _ take: (Demuxed) -> Void) {
        if isLATM ?? isStatedLATM { loas.append(time) } else { take(.time(time)) }
    }

    /// Passes on what is held.
    private mutating func release(_ take: (Demuxed) -> Void) -> DemuxProblem? {
        let (bytes, times) = (held, times)
        (held, self.times, searched) = ([], [], 0)
        var start = 0
        for case (let place, let time) in times.map({ ($0.place, Optional($0.time)) }) + [(bytes.count, nil)] {
            if let problem = bytes[start..<place].withUnsafeBytes({ pass($0, take) }) { return problem }
            if let time { pass(time, take) }
            start = place
        }
        return nil
    }

    /// Whether the bytes that are held show LATM; nil if they do not show yet what they are.
    private mutating func search() -> Bool? {
        while searched + ADTSHeader.byteCount <= held.count {
            let (adts, latm) = held.withUnsafeBytes { bytes in
                (Self.begins(bytes, at: searched, isLATM: false), Self.begins(bytes, at: searched, isLATM: true))
            }
            if adts == true || latm == true { return latm }
            if adts == nil || latm == nil { return nil }
            searched += 1
        }
        return nil
    }

    /// Whether enough frames in sequence begin at a place; nil if more bytes are needed to tell.
    private static func begins(_ bytes: UnsafeRawBufferPointer, at place: Int, isLATM: Bool) -> Bool? {
        var (place, fixed) = (place, UInt32?.none)
        for _ in 0..<enough {
            guard place + ADTSHeader.byteCount <= bytes.count else { return nil }
            if isLATM {
                guard LOASReader.isSync(bytes, place) else { return false }
                place += LOASReader.length(bytes, place)
            } else {
                guard let header = ADTSHeader(UnsafeRawBufferPointer(rebasing: bytes[place...])),
                    header.fixed == fixed ?? header.fixed
                else { return false }
                (fixed, place) = (header.fixed, place + header.length)
            }
        }
        return true
    }
}
