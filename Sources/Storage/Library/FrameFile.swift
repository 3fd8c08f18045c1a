// SPDX-License-Identifier: MIT

import Glibc
package import Platform
package import RadioCore
package import RadioFormats

/// Consecutive whole frames of a file, with their bytes.
package struct FileFrames: Sendable {
    /// The first frame's index in the file.
    package let index: Int64
    package let batch: FrameBatch
    package let bytes: [UInt8]

    /// The index in the file of the frame that follows the last of these frames.
    package var end: Int64 { index + Int64(batch.count) }
}

/// Reads the frames of a recorded file in order, up to its present end. Confined to one thread, because all calls
/// block.
package final class FrameFile {
    private let system: any FileSystemCalls
    private let descriptor: CInt
    private var framer: PartFramer
    private var offset: Int64
    /// The index in the file of the next frame to be read.
    private(set) package var position: Int64
    /// Whether the end was reached. If the file grows later, another `FrameFile` reads the rest.
    private(set) package var isAtEnd = false
    /// The format of the newest frames that were read; nil before.
    private(set) package var format: StreamFormat?
    private var buffer: [UInt8] = []

    /// The number of bytes per read. They hold some seconds of audio from most stations.
    private static let readSize = 32 << 10

    /// Opens the file that has this path, or will have it once it is complete, for reading from a frame on. If it has
    /// an index, what lies before the frame is not read. Does not follow a link as the last part of the path.
    package init(
        path: String, container: Container, from frame: Int64 = 0, system: any FileSystemCalls = LinuxFileSystem()
    ) throws(SystemError) {
        self.system = system
        framer = PartFramer(container)
        let split = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let folder = try system.openFolder(
            path: split == path.startIndex ? "." : String(path[..<split]), followsLink: true)
        defer { system.close(folder) }
        let name = String(path[split...])
        descriptor = try Self.open(name, in: folder, system)
        let base = String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
        let place = FrameIndex.place(upTo: frame, of: descriptor, base, in: folder, system)
        (position, offset) = (place.frame, place.byte)
    }

    deinit { system.close(descriptor) }

    /// Tries the final name last, because a file may be renamed to it in between.
    private static func open(
        _ name: String, in folder: CInt, _ system: any FileSystemCalls
    ) throws(SystemError) -> CInt {
        do throws(SystemError) {
            return try system.openToRead(in: folder, name: "\(name).part")
        } catch {
            guard error.number == ENOENT else { throw error }
            return try system.openToRead(in: folder, name: name)
        }
    }

    /// Reads and returns the next frames whose index is at least `index`. Returns nil at the end of the file, or as
    /// soon as `isWanted`, which is called before each read, returns false.
    package func next(from index: Int64, isWanted: () -> Bool = { true }) throws(SystemError) -> FileFrames? {
        while !isAtEnd, isWanted() {
            let first = max(index, position)
            var (batch, bytes) = (FrameBatch(), [UInt8]())
            try read { output in
                if case .part(.format(let new)) = output { format = new }
                guard case .frames(let found, let source) = output else { return true }
                let wanted = min(found.count, Int(clamping: max(0, first - position)))..<found.count
                position += Int64(found.count)
                batch.append(found[wanted])
                bytes.append(contentsOf: source[found.range(of: wanted)])
                return true
            }
            if batch.count > 0 { return FileFrames(index: first, batch: batch, bytes: bytes) }
        }
        return nil
    }

    /// Reads once, and passes what the bytes yield to `take`.
    package func read(_ take: (PartFramer.Output) -> Bool) throws(SystemError) {
        if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.readSize) }
        let result = buffer.withUnsafeMutableBytes { buffer -> Result<Int, SystemError> in
            do throws(SystemError) {
                return .success(try system.read(descriptor, into: buffer, at: offset))
            } catch {
                return .failure(error)
            }
        }
        let count = try result.get()
        offset += Int64(count)
        isAtEnd = count == 0
        guard !isAtEnd else { return framer.finish(take) }
        buffer.withUnsafeBytes { framer.push(UnsafeRawBufferPointer(rebasing: $0[..<count]), take) }
    }
}
