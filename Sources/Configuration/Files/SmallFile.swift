// SPDX-License-Identifier: MIT

import Glibc
package import Platform

/// Why a file cannot be read, for the person who named it.
package struct FileFault: SafelyWorded, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Error, Hashable, Sendable {
        case missing
        case denied
        case isFolder
        /// A pipe, a socket or a device.
        case notAFile
        /// More bytes than this.
        case tooLong(Int)
        /// Its links lead in a circle.
        case linkLoop
        /// Other users may read it, although it is a secret.
        case exposed
        case other(SystemError)
    }

    package var path: String
    package var reason: Reason

    package init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// The file, what is wrong with it, and what to do.
    package var description: String {
        let file = "'\(SafeText.path(path))'"
        return switch reason {
        case .missing: "\(file) does not exist"
        case .denied: "\(file) may not be read by this user; change its owner or its permissions"
        case .isFolder: "\(file) is a folder; name a file in it"
        case .notAFile: "\(file) is not a plain file"
        case .tooLong(let most): "\(file) is longer than \(most) bytes"
        case .linkLoop: "\(file) is a link that leads back to itself"
        case .exposed: "\(file) can be read by others; allow it to its owner alone, with chmod 600"
        case .other(let error): "\(file) cannot be read: \(error)"
        }
    }
}

/// Reads whole files of limited size, which people write. Blocks as long as the file system does, but not for a pipe.
enum SmallFile {
    /// The bytes of a plain file. A secret must not be accessible to the group or others.
    static func read(_ path: String, limit: Int, isSecret: Bool = false) throws(FileFault) -> [UInt8] {
        do throws(FileFault.Reason) {
            return try bytes(of: path, limit: limit, isSecret: isSecret)
        } catch {
            throw FileFault(path: path, reason: error)
        }
    }

    private static func bytes(of path: String, limit: Int, isSecret: Bool) throws(FileFault.Reason) -> [UInt8] {
        // C would end the path at a NUL.
        guard !path.utf8.contains(0) else { throw .missing }
        let descriptor = Descriptor(owning: try call { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) })
        var status = stat()
        _ = try call { fstat(descriptor.number, &status) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .isFolder
        default: throw .notAFile
        }
        guard !isSecret || status.st_mode & 0o077 == 0 else { throw .exposed }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count <= limit {
            let count = try call { Glibc.read(descriptor.number, &buffer, buffer.count) }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
        throw .tooLong(limit)
    }

    private static func call<Result: FixedWidthInteger>(_ call: () -> Result) throws(FileFault.Reason) -> Result {
        do throws(SystemError) { return try systemCall(call) } catch { throw FileFault.Reason(error) }
    }
}

extension FileFault.Reason {
    fileprivate init(_ error: SystemError) {
        self =
            switch error.number {
            case ENOENT, ENOTDIR: .missing
            case EACCES, EPERM: .denied
            case ELOOP: .linkLoop
            case EISDIR: .isFolder
            case ENXIO: .notAFile
            default: .other(error)
            }
    }
}
