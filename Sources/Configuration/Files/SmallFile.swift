// SPDX-License-Identifier: MIT

import Glibc
package import Platform

/// Why a file cannot be read. The description addresses the person who named the file.
package struct FileFault: SafelyWorded, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Error, Hashable, Sendable {
        case missing
        case denied
        case isFolder
        /// The path leads to a pipe, a socket or a device.
        case notAFile
        /// The file has more bytes than this.
        case tooLong(Int)
        /// Its links lead in a circle.
        case linkLoop
        /// Other users may read the file, although it contains a secret.
        case exposed
        case other(SystemError)
    }

    package var path: String
    package var reason: Reason

    /// The file, what is wrong with it, and what to do.
    package var description: String {
        let file = "'\(SafeText.path(path))'"
        return switch reason {
        case .missing: "\(file) does not exist"
        case .denied: "this user is not allowed to read \(file); change its owner or its permissions"
        case .isFolder: "\(file) is a folder; name a file in it"
        case .notAFile: "\(file) is not a plain file"
        case .tooLong(let most): "\(file) is longer than \(most) bytes"
        case .linkLoop: "\(file) is a link that leads back to itself"
        case .exposed: "\(file) can be read by others; restrict it to its owner with chmod 600"
        case .other(let error): "\(file) cannot be read: \(error)"
        }
    }
}

/// Reads whole files of limited size that are written by people. Its calls block as long as the file system does, but
/// never on a pipe.
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
        let file: PlainFile
        do throws(PlainFile.Problem) { file = try PlainFile.read(path, most: limit + 1) } catch {
            throw FileFault.Reason(error)
        }
        guard !isSecret || file.permissions & 0o077 == 0 else { throw .exposed }
        guard file.bytes.count <= limit else { throw .tooLong(limit) }
        return file.bytes
    }
}

extension FileFault.Reason {
    fileprivate init(_ problem: PlainFile.Problem) {
        self =
            switch problem {
            case .isFolder: .isFolder
            case .notRegular: .notAFile
            case .system(let error):
                switch error.number {
                case ENOENT, ENOTDIR: .missing
                case EACCES, EPERM: .denied
                case ELOOP: .linkLoop
                case ENXIO: .notAFile
                default: .other(error)
                }
            }
    }
}
