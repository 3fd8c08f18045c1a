// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Instants
import Platform
package import RadioCore
import RadioFormats

/// The daemon to which a recordings folder belongs. Two daemons would record everything twice, and each would delete
/// what the other keeps.
///
/// An extended attribute of the recordings folder names the state folder of its daemon, and a daemon holds the
/// ``StateLock`` of its state folder as long as it runs. So nothing on the disk of the recordings stays open, and the
/// disk can be unmounted. On file systems without attributes, nothing is noticed.
package enum RecordingsOwner {
    private static let attribute = "user.aircheck.state"
    /// The disk of the recordings may hang, and relaying does not need it.
    private static let patience = Duration.seconds(3)

    /// Makes the daemon with a state folder the owner of a recordings folder, which is created if it does not exist.
    /// The daemon must hold the lock of its state folder. Throws if the folder belongs to another running daemon.
    /// Blocks, but not for long if the disk does not answer.
    package static func take(_ recordings: String, state: String) throws(Failure) {
        let answer = Monitor<String??>(nil)
        let worker = try? WorkerThread.start(name: "owner") {
            let other = other(of: recordings, than: state)
            answer.withLock { $0 = .some(other) }
            answer.signal()
        }
        guard worker != nil, let other = answer.wait(until: .read() + patience, { $0 }) ?? nil else { return }
        throw Failure(
            .configuration,
            "another 'aircheck serve', whose state folder is \(other), records into the folder \(recordings)",
            remedy: "give each daemon a recordings folder of its own, or stop the other daemon")
    }

    /// The state folder of the running daemon to which the recordings folder belongs; nil if it belongs to none, and is
    /// ours now.
    private static func other(of recordings: String, than state: String) -> String? {
        let system = LinuxFileSystem()
        try? system.makeFolders(path: recordings)
        guard let folder = try? system.openFolder(path: recordings, followsLink: true) else { return nil }
        defer { system.close(folder) }
        // Two daemons may start at the same time.
        try? system.waitForLock(folder)
        guard let own = try? system.openFolder(path: state, followsLink: true) else { return nil }
        defer { system.close(own) }
        if let named = value(of: folder, system), let there = try? system.openFolder(path: named, followsLink: true) {
            defer { system.close(there) }
            let isOurs = (try? system.status(of: there)) == (try? system.status(of: own))
            if !isOurs, isLocked(there, system) { return named }
        }
        if let path = try? system.path(of: own) { set(path, of: folder, system) }
        return nil
    }

    /// Whether a daemon holds the lock of its state folder.
    private static func isLocked(_ folder: CInt, _ system: LinuxFileSystem) -> Bool {
        guard let file = try? system.openFile(in: folder, name: StateLock.name) else { return false }
        defer { system.close(file) }
        return (try? system.lock(file)) == false
    }

    /// The path of the state folder that the attribute names. The attribute of a copied folder has the number of the
    /// original folder, and names none.
    private static func value(of folder: CInt, _ system: LinuxFileSystem) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX) + mark(of: folder, system).utf8.count)
        let length = ac_attribute(folder, attribute, &bytes, UInt(bytes.count))
        let mark = mark(of: folder, system).utf8
        guard length > mark.count, bytes.starts(with: mark) else { return nil }
        return PathText.text(of: Array(bytes[mark.count..<length]))
    }

    private static func set(_ path: String, of folder: CInt, _ system: LinuxFileSystem) {
        let bytes = Array(mark(of: folder, system).utf8) + PathText.bytes(of: path)
        _ = ac_set_attribute(folder, attribute, bytes, UInt(bytes.count))
    }

    private static func mark(of folder: CInt, _ system: LinuxFileSystem) -> String {
        "\((try? system.status(of: folder).inode) ?? 0) "
    }
}
