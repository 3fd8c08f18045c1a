// SPDX-License-Identifier: MIT

import RadioCore
import Storage
import Testing

struct FreeSpaceFloorTests {
    @Test("A floor admits a recording down to its size, and again from a tenth above it")
    func size() {
        let floor = FreeSpaceFloor.bytes(1_000)
        #expect(floor.admits(free: 1_000, diskSize: 1 << 40, isStopped: false))
        #expect(!floor.admits(free: 999, diskSize: 1 << 40, isStopped: false))
        #expect(!floor.admits(free: 1_099, diskSize: 1 << 40, isStopped: true))
        #expect(floor.admits(free: 1_100, diskSize: 1 << 40, isStopped: true))
        #expect(!FreeSpaceFloor.bytes(.max).admits(free: .max - 1, diskSize: 1 << 40, isStopped: false))
        #expect(FreeSpaceFloor.none.admits(free: -1, diskSize: 1, isStopped: true))
    }

    @Test(
        "The standard floor is 100 MB, but at most a twentieth of the disk",
        arguments: [(Int64(1) << 40, Int64(100_000_000)), (1_000_000, 50_000), (0, 0)])
    func standard(diskSize: Int64, floor: Int64) {
        #expect(FreeSpaceFloor.standard.admits(free: floor, diskSize: diskSize, isStopped: false))
        #expect(floor == 0 || !FreeSpaceFloor.standard.admits(free: floor - 1, diskSize: diskSize, isStopped: false))
    }
}
