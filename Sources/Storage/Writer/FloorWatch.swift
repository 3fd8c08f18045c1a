// SPDX-License-Identifier: MIT

import RadioCore

/// Watches the free space of a recording's disk, so that a ``FreeSpaceFloor`` stays free. A value, for the writer's
/// thread.
struct FloorWatch {
    private let floor: FreeSpaceFloor
    private let root: String
    /// The size of the disk, once measured.
    private var diskSize: Int64??

    /// `root`: the path of the recordings folder.
    init(_ floor: FreeSpaceFloor, root: String) {
        self.floor = floor
        self.root = root
    }

    /// Whether nothing has to stay free, so that the disk's free space need not be queried.
    var isOff: Bool { floor == .none }

    /// Whether a recording may write with this many free bytes. It may if the free space is unknown.
    mutating func admits(free: Int64?, isStopped: Bool) -> Bool {
        guard let free else { return true }
        let size = diskSize ?? DiskSize.bytes(ofDiskAt: root)
        diskSize = .some(size)
        return floor.admits(free: free, diskSize: size, isStopped: isStopped)
    }
}
