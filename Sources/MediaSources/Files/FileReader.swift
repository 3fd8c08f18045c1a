// SPDX-License-Identifier: MIT

import CLinux
import EventLoop
import Glibc
import Instants
import Platform
import RadioCore
import RadioFormats

/// Reads a file on disk. Confined to the reader's thread, because all calls block.
///
/// A growing file ends where it ends at the time of the read; the reader does not wait for more.
final class FileReader: MediaReader {
    private let descriptor: CInt

    /// Opens a regular file and nothing else: opening a pipe or a device may have effects, and so may reading a file
    /// whose contents the kernel generates. The initializer checks the file that the path leads to, then opens that
    /// same file, even if the path changes meanwhile.
    init(_ path: String) throws(Failure) {
        let place = ac_find(path.pathBytes)
        guard place >= 0 else { throw Failure(reading: path, errno) }
        defer { close(place) }
        guard Self.isFile(place) else {
            throw Failure(.unsupported, "it is not a file", remedy: "give an audio file")
        }
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        var descriptor = open("/proc/self/fd/\(place)", flags)
        // Without /proc, open the path itself.
        if descriptor < 0, errno == ENOENT { descriptor = open(path.pathBytes, flags) }
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw Failure(reading: path, errno) }
    }

    private static func isFile(_ place: CInt) -> Bool {
        var status = stat()
        return fstat(place, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && ac_is_of_kernel(place) == 0
    }

    deinit { close(descriptor) }

    /// The current size in bytes; nil if unknown.
    var size: Int64? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// How long ago the file was last written to; nil if unknown, or if the file system's clock is ahead of ours by
    /// more than a moment.
    var age: Duration? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        let written = WallInstant(
            nanoseconds: Int64(status.st_mtim.tv_sec).multipliedSaturated(by: 1_000_000_000)
                .addingSaturated(Int64(status.st_mtim.tv_nsec)))
        let age = SystemClock.wall - written
        return age + Self.clockDifference > .zero ? max(.zero, age) : nil
    }

    private static let clockDifference = Duration.seconds(2)

    /// See ``MediaReader/lastTitle``.
    var lastTitle: String? {
        guard let size, size > Int64(ID3v1Tag.length) else { return nil }
        let end = FileRead(offset: size - Int64(ID3v1Tag.length), count: ID3v1Tag.length)
        return (try? bytes(end)).flatMap { ID3v1Tag($0)?.streamTitle }
    }

    /// Whether a path leads to this file.
    func isAt(_ path: String) -> Bool {
        var (own, found) = (stat(), stat())
        guard fstat(descriptor, &own) == 0, stat(path.pathBytes, &found) == 0 else { return false }
        return own.st_ino == found.st_ino && own.st_dev == found.st_dev
    }

    /// Reads the wanted bytes, or fewer if the file ends.
    func bytes(_ read: FileRead) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var hasMore = true
        while hasMore, bytes.count < read.count {
            let (offset, overflow) = read.offset.addingReportingOverflow(Int64(bytes.count))
            guard !overflow else { return bytes }
            hasMore = try readOnce(min(Self.piece, read.count - bytes.count), { bytes.append(contentsOf: $0) }) {
                pread(descriptor, $0, $1, off_t(offset))
            }
        }
        return bytes
    }

    /// The first bytes of a file, at most `limit`; nil if it cannot be opened.
    static func beginning(of path: String, atMost limit: Int) -> [UInt8]? {
        try? FileReader(path).bytes(FileRead(offset: 0, count: limit))
    }

    /// Lets ``read(_:_:)`` begin at this byte.
    func skip(to offset: Int64) { _ = lseek(descriptor, off_t(offset), SEEK_SET) }

    private static let piece = 64 << 10

    func read(_ limit: Int, _ take: (UnsafeRawBufferPointer) -> Void) throws(Failure) -> Bool {
        try readOnce(limit, take) { Glibc.read(descriptor, $0, $1) }
    }
}

/// Makes a call that reads at most `limit` bytes, and repeats it if it is interrupted. Returns false at the end.
func readOnce(
    _ limit: Int, _ take: (UnsafeRawBufferPointer) -> Void, _ call: (UnsafeMutableRawPointer?, Int) -> Int
) throws(Failure) -> Bool {
    let outcome: Result<Bool, Failure> = withUnsafeTemporaryAllocation(byteCount: limit, alignment: 16) { buffer in
        while true {
            let count = call(buffer.baseAddress, limit)
            if count > 0 { take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            if count >= 0 { return .success(count > 0) }
            guard errno == EINTR else { return .failure(Failure(reading: "it", errno)) }
        }
    }
    return try outcome.get()
}

extension Failure {
    /// The failure of a call that reads, with its `errno`.
    init(reading path: String, _ number: CInt) {
        let kind: Class =
            switch number {
            case ENOENT, ENOTDIR: .notFound
            case EACCES, EPERM: .forbidden
            default: .unsupported
            }
        let cause = number == ENOENT ? "there is no such file" : "\(SystemError(number: number))".lowercased()
        self.init(kind, "\(path) cannot be read: \(cause)", remedy: "check its path and its permissions")
    }
}
