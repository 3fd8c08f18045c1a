// SPDX-License-Identifier: MIT

/// How much space a recording leaves free on its disk: the setting `keep-free`.
///
/// A recording stops when less than the floor is free. It resumes when the free space exceeds the floor by a tenth of
/// the floor, or by 64 MB if that is less. Without that margin, a recording on a disk at its floor would begin a new
/// file whenever somebody frees a few bytes.
package enum FreeSpaceFloor: Hashable, Sendable {
    case bytes(Int64)
    /// 100 MB, but at most a twentieth of the disk, so that small cards and memory disks can be recorded to.
    case standard

    /// The disk may be filled up.
    package static let none = bytes(0)

    /// Whether a recording may write. `size`: the size of the disk. `isStopped`: whether the recording has stopped for
    /// lack of space.
    package func admits(free: Int64, diskSize size: Int64, isStopped: Bool) -> Bool {
        let floor: Int64 =
            switch self {
            case .bytes(let bytes): bytes
            case .standard: min(Self.standardBytes, max(0, size) / 20)
            }
        guard floor > 0 else { return true }
        return free - (isStopped ? min(floor / 10, Self.mostHeadroom) : 0) >= floor
    }

    private static let standardBytes: Int64 = 100_000_000
    private static let mostHeadroom: Int64 = 64_000_000
}
