// SPDX-License-Identifier: MIT

import RadioCore

/// A command from the loop to the writer's thread; carried out in order.
enum WriterCommand: Sendable {
    case attach(client: Int, root: String, floor: FreeSpaceFloor, report: @Sendable (WriterReport) -> Void)
    case open(FileID, SegmentFileSpec)
    case append(FileID, WriterItem)
    case sidecar(FileID, [UInt8])
    case grow(FileID, Companion, [UInt8])
    case close(FileID, FileEnding)
    case resume(FileID, FileEnding, into: FileID, SegmentFileSpec)
    case lend(FileID)
    case takeBack(FileID, checksum: UInt64?, sidecar: [UInt8]?)
    case release(FileID)
    case recover(client: Int, writesSidecars: Bool, depth: Int, again: Bool)
    case giveUp(client: Int)
    case detach(client: Int)
}
