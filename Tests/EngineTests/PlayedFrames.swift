// SPDX-License-Identifier: MIT

import TestSupport

/// What a listener received: frames of the station, frames of its fallback, and silence.
struct PlayedFrames {
    enum Kind { case own, fallback, silence }

    /// A programme whose frames are recognized by their first bytes.
    struct Source {
        let broadcast: Broadcast
        let starts: [ArraySlice<UInt8>: Int]

        init(_ broadcast: Broadcast) {
            self.broadcast = broadcast
            starts = broadcast.starts
        }

        /// The place of a frame.
        func place(of frame: [UInt8]) -> Int? { starts[frame.prefix(64)] }

        /// The place of the frame with which some bytes begin. The last frame may be cut off.
        fileprivate func place(of bytes: ArraySlice<UInt8>) -> Int? {
            guard let place = starts[bytes.prefix(64)] else { return nil }
            let frame = broadcast.frames[place].bytes
            return bytes.prefix(frame.count).elementsEqual(frame.prefix(bytes.count)) ? place : nil
        }
    }

    /// The received audio as stretches of one kind each, with the places of their frames.
    private(set) var stretches: [(kind: Kind, places: [Int])] = []
    /// The offset of the first bytes that are neither a frame of the station, nor a frame of its fallback, nor silence.
    private(set) var foreign: Int?

    init(_ body: [UInt8], of own: Source, _ fallback: Source?) {
        var rest = body[...]
        // A frame that is cut off at the end cannot be recognised, so the last bytes are left out.
        while rest.count >= Self.longest {
            if let place = own.place(of: rest) {
                add(.own, place)
                rest = rest.dropFirst(own.broadcast.frames[place].bytes.count)
            } else if let fallback, let place = fallback.place(of: rest) {
                add(.fallback, place)
                rest = rest.dropFirst(fallback.broadcast.frames[place].bytes.count)
            } else if let length = Self.silence(rest) {
                add(.silence, 0)
                rest = rest.dropFirst(length)
            } else {
                foreign = rest.startIndex
                return
            }
        }
    }

    /// The places of the station's frames.
    var own: [Int] { stretches.filter { $0.kind == .own }.flatMap(\.places) }

    /// How many frames were not the station's.
    var fillers: Int { stretches.filter { $0.kind != .own }.reduce(0) { $0 + $1.places.count } }

    private mutating func add(_ kind: Kind, _ place: Int) {
        if stretches.last?.kind != kind { stretches.append((kind, [])) }
        stretches[stretches.count - 1].places.append(place)
    }

    /// The size of a padded frame of 48 kbit/s at 44,100 Hz.
    private static let longest = 157

    /// The length of a silent frame of 48 kbit/s, which has only a header and the beginning of its main data; nil for
    /// any other bytes.
    private static func silence(_ bytes: ArraySlice<UInt8>) -> Int? {
        let start = bytes.startIndex
        guard bytes.starts(with: [0xFF, 0xFB]), bytes[start + 2] & 0xFC == 0x30 else { return nil }
        guard bytes[start + 6..<start + 36].allSatisfy({ $0 == 0 }) else { return nil }
        return bytes[start + 2] & 2 == 0 ? longest - 1 : longest
    }
}
