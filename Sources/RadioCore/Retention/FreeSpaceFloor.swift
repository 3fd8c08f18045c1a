// SPDX-License-Identifier: MIT

/// How much space a recording leaves free on its disk: the setting `keep-free`. A value.
///
/// A recording stops where less is free, and resumes where a tenth more is: otherwise a disk at its floor would get a
/// file for each few bytes that somebody frees.
package enum FreeSpaceFloor: Hashable, Sendable {
    /// The disk may be filled up.
    case none
    case bytes(Int64)
    /// 100 MB, but at most a twentieth of the disk, so that small cards and memory disks can be recorded to.
    case standard

    /// Whether a recording may write. `size`: the size of the disk; nil if unknown, so that the standard floor does not
    /// apply. `isStopped`: whether the recording has stopped for lack of space.
    package func admits(free: Int64, diskSize size: Int64?, isStopped: Bool) -> Bool {
        let floor: Int64 =
            switch self {
            case .none: 0
            case .bytes(let bytes): bytes
            case .standard: min(Self.standardBytes, max(0, size ?? 0) / 20)
            }
        return free - (isStopped ? min(floor / 10, Self.mostHeadroom) : 0) >= floor
    }

    private static let standardBytes: Int64 = 100_000_000
    private static let mostHeadroom: Int64 = 64_000_000
}
