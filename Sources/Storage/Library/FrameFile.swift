// SPDX-License-Identifier: MIT

import Glibc
package import Platform
package import RadioCore
package import RadioFormats

/// Whole frames of a file, one after the other, with their bytes. A value.
package struct FileFrames: Sendable {
    /// How many frames of the file come before them.
    package let index: Int64
    package let batch: FrameBatch
    package let bytes: [UInt8]

    /// The index, in the file, of the frame after the last of these.
    package var end: Int64 { index + Int64(batch.count) }
}

/// Reads the frames of a recorded file in order, to where it ends now. Confined to one thread: all of it blocks.
package final class FrameFile {
    private let system: any FileSystemCalls
    private let descriptor: CInt
    private var framer: any Framer
    private var offset: Int64
    /// How many frames have been read.
    private(set) package var position: Int64
    /// Whether the end was reached. Of a file that has grown since, the rest is read by another one of this.
    private(set) package var isAtEnd = false
    private var run: [Frame] = []
    private var buffer: [UInt8] = []

    /// What one read takes: some seconds of most stations.
    private static let readSize = 32 << 10

    /// Opens the file that has this path, or will have it once it is complete, to be read from a frame of it that begins
    /// at a byte. Follows no link at its end.
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

    /// The final name last: a file gets it while this looks.
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

    /// Frames that follow those that were read, from the frame of this number on; nil at the end, or once they are not
    /// wanted any more, which is asked before each read.
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

    /// Gives the framer what one read brings.
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
