// SPDX-License-Identifier: MIT

import Foundation

/// A folder that is removed, with its contents, when the object is released.
package final class TemporaryFolder: Sendable {
    /// The absolute path, without a slash at the end.
    package let path: String

    /// Creates an empty folder that every user may enter, because a server started by root gives up its privileges.
    package init(_ name: String = "aircheck-test") throws {
        path = NSTemporaryDirectory() + "\(name).\(getpid()).\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of an entry in the folder.
    package func file(_ name: String) -> String { path + "/" + name }

    /// Creates or replaces a file in the folder and returns its path.
    @discardableResult
    package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    /// Creates a folder in the folder.
    package func make(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
    }

    /// Creates or replaces a text file in the folder and returns its path.
    @discardableResult
    package func write(_ name: String, _ text: String) throws -> String {
        try write(name, Array(text.utf8))
    }

    /// The bytes of a file in the folder.
    package func read(_ name: String) throws -> [UInt8] {
        try bytes(ofFile: file(name))
    }

    /// Sets the time at which a file in the folder was last written to, this many seconds ago.
    package func age(_ name: String, _ seconds: Double) throws {
        let date = Date(timeIntervalSinceNow: -seconds)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file(name))
    }

    /// The names of all entries, sorted, including those of subfolders as `folder/name`.
    package func contents() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
    }
}

/// The bytes of the file at `path`.
package func bytes(ofFile path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: path)))
}
