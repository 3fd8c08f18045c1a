// SPDX-License-Identifier: MIT

import Instants
package import RadioCore

/// How to play an input to a station, and where the station's counters start. The first eight bytes of the input encode
/// the plan; the rest is the body that the station's server sends.
package struct PathPlan: Hashable, Sendable {
    /// How a connection ends when it has sent its part of the body.
    package enum Ending: UInt8, CaseIterable, Sendable {
        /// The body is complete.
        case complete
        case dropped
        /// The connection stays open, but nothing more arrives.
        case silent
        /// The connection falls silent as well, but resumes once there is another connection.
        case beside
    }

    /// The number of audio bytes between metadata blocks; 0 for none.
    package var interval = 0
    /// The content type in the head, as an index into ``contentTypes``.
    package var contentType = 0
    /// Whether the head is that of a file that can be resumed.
    package var isFile = false
    /// Whether the server sends metadata without being asked.
    package var insists = false
    /// The number of connections that deliver the body; 1 to 4.
    package var connections = 1
    /// How much of one connection's part the next connection repeats, in quarters of that part.
    package var overlap = 0
    package var ending = Ending.complete
    /// The speed of the body, as an index into ``paces``.
    package var pace = 0

    /// The initial values of the counters, as indices into the tables below.
    package var samples = 0
    package var frames = 0
    package var wall = 0
    package var clock = 0

    /// When the recording starts a new file, as an index into ``policies``.
    package var policy = 0
    package var isPure = false
    /// The shift of titles, as an index into ``titleOffsets``.
    package var titleOffset = 0
    /// Whether the disk is full after a few thousand bytes.
    package var fillsDisk = false

    package static let headerLength = 8

    package init() {}
}

// MARK: - What the indices stand for

extension PathPlan {
    package static let contentTypes = ["audio/mpeg", "audio/aac", "application/ogg", "application/octet-stream"]
    /// The speeds in bytes per second; 0 sends all bytes at once.
    package static let paces = [16_000, 4_000, 250_000, 0]

    /// Streams state their own sample counts, so a count may start at the end of its range.
    package static let sampleStarts: [Int64] = [0, .max - 70_000, .max, .max / 2]
    /// The counts of frames and bytes grow only with the data received, so they never reach the end of the range in
    /// practice: these starts leave room for any input.
    package static let frameStarts: [Int64] = [0, .max - 1 << 32]
    package static let wallStarts: [Int64] = [1_767_225_600_000_000_000, .max - 3_000_000_000, .min, -1_000_000_000]
    /// The latest start leaves the monotonic clock two days before the end of its range.
    package static let clockStarts: [Int64] = [1_000_000_000, .max - 172_800_000_000_000]

    package static let policies: [SegmentPolicy] = [.none, .title, .period(.seconds(2)), .period(.seconds(3_600))]
    package static let titleOffsets: [Duration] = [.zero, .seconds(2), .seconds(-2), .seconds(3_600)]

    var start: Position {
        let frames = Self.frameStarts[frames]
        return Position(frames: frames, bytes: frames, samples: Self.sampleStarts[samples])
    }
}

// MARK: - As bytes

extension PathPlan {
    /// Decodes a plan from eight bytes; any eight bytes are a plan. Returns nil for fewer bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes.prefix(Self.headerLength))
        guard bytes.count == Self.headerLength else { return nil }
        interval = Int(bytes[0]) << 8 | Int(bytes[1])
        contentType = Int(bytes[2] & 3)
        isFile = bytes[2] & 4 != 0
        insists = bytes[2] & 8 != 0
        connections = Int(bytes[3] & 3) + 1
        overlap = Int(bytes[3] >> 2 & 3)
        ending = Ending(rawValue: bytes[3] >> 4 & 3) ?? .complete
        pace = Int(bytes[3] >> 6)
        samples = Int(bytes[4] & 3)
        frames = Int(bytes[4] >> 2 & 1)
        wall = Int(bytes[5] & 3)
        clock = Int(bytes[5] >> 2 & 1)
        policy = Int(bytes[6] & 3)
        isPure = bytes[6] & 4 != 0
        fillsDisk = bytes[6] & 8 != 0
        titleOffset = Int(bytes[7] & 3)
    }

    /// The inverse of ``init(_:)``.
    package var header: [UInt8] {
        let bits = { (flag: Bool, place: UInt8) in flag ? 1 << place : 0 as UInt8 }
        return [
            UInt8(interval >> 8), UInt8(interval & 0xFF),
            UInt8(contentType) | bits(isFile, 2) | bits(insists, 3),
            UInt8(connections - 1) | UInt8(overlap) << 2 | ending.rawValue << 4 | UInt8(pace) << 6,
            UInt8(samples) | UInt8(frames) << 2,
            UInt8(wall) | UInt8(clock) << 2,
            UInt8(policy) | bits(isPure, 2) | bits(fillsDisk, 3),
            UInt8(titleOffset),
        ]
    }
}
