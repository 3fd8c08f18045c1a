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
    private var framer: any Framer
    private var offset: Int64
    /// The index in the file of the next frame to be read.
    private(set) package var position: Int64
    /// Whether the end was reached. If the file grows later, another `FrameFile` reads the rest.
    private(set) package var isAtEnd = false
    private var run: [Frame] = []
    private var buffer: [UInt8] = []

    /// The number of bytes per read. They hold some seconds of audio from most stations.
    private static let readSize = 32 << 10

    /// Opens the file that has this path, or will have it once it is complete, for reading from a frame that begins at
    /// `byte`. Does not follow a link as the last part of the path.
    package init(
        path: String, container: Container, fromFrame frame: Int64 = 0, atByte byte: Int64 = 0,
        system: any FileSystemCalls = LinuxFileSystem()
    ) throws(SystemError) {
        self.system = system
        framer = container.makeFramer()
        (position, offset) = (frame, byte)
        let split = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let folder = try system.openFolder(
            path: split == path.startIndex ? "." : String(path[..<split]), followsLink: true)
        defer { system.close(folder) }
        descriptor = try Self.open(String(path[split...]), in: folder, system)
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
            let first = position
            var frames: [Frame] = []
            var bytes: [UInt8] = []
            try fill()
            framer.drain(by: &run) { output in
                guard case .frames(let run, let source) = output else { return true }
                var start = 0
                for frame in run {
                    let end = start + frame.range.count
                    if position >= index {
                        frames.append(frame)
                        bytes.append(contentsOf: source[start..<end])
                    }
                    start = end
                    position += 1
                }
                return true
            }
            if !frames.isEmpty {
                return FileFrames(index: max(first, index), batch: FrameBatch(frames[...]), bytes: bytes)
            }
        }
        return nil
    }

    /// Reads once, and passes the bytes to the framer.
    private func fill() throws(SystemError) {
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
        guard count > 0 else {
            framer.finish()
            isAtEnd = true
            return
        }
        buffer.withUnsafeBytes { framer.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
}
