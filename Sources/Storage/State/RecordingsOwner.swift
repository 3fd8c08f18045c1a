// SPDX-License-Identifier: MIT

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
///
/// A recordings folder includes the folders below it. So a daemon is refused a new folder inside that of a running
/// daemon. A folder that was its own before is left alone by the daemon of the outer folder, whether or not the inner
/// daemon runs: see ``isOthers(_:than:_:)``.
package enum RecordingsOwner {
    private static let attribute = "user.aircheck.state"
    /// The disk of the recordings may hang, and relaying does not need it.
    private static let patience = Duration.seconds(3)

    /// Makes the daemon with a state folder the owner of a recordings folder, which is created if it does not exist.
    /// The daemon must hold the lock of its state folder. Throws if the folder belongs to another running daemon.
    /// Blocks, but not for long if the disk does not answer. Returns whether the state folder is older than the
    /// recordings, such as one from a backup.
    @discardableResult
    package static func take(_ recordings: String, state: String) throws(Failure) -> Bool {
        let answer = Monitor<(other: Other?, isOlder: Bool)?>(nil)
        let worker = try? WorkerThread.start(name: "owner") {
            let other = other(of: recordings, than: state)
            let isOlder = other == nil && noteRun(recordings, state: state)
            answer.withLock { $0 = (other, isOlder) }
            answer.signal()
        }
        guard worker != nil, let answer = answer.wait(until: .read() + patience, { $0 }) else { return false }
        guard let other = answer.other else { return answer.isOlder }
        throw Failure(
            .configuration,
            "another 'aircheck serve', whose state folder is \(other.state), records into the folder "
                + (other.folder ?? recordings),
            remedy: "give each daemon a recordings folder of its own, or stop the other daemon")
    }

    /// Whether a folder below a recordings folder is the recordings folder of another daemon. Such a daemon has a state
    /// folder, but need not run. `own`: the ``state(of:_:)`` of the outer folder; nil if it has no owner, who could
    /// delete anything.
    static func isOthers(_ folder: CInt, than own: String?, _ system: any FileSystemCalls) -> Bool {
        guard let own, let named = state(of: folder, system), named != own else { return false }
        do throws(SystemError) {
            let there = try system.openFolder(path: named, followsLink: true)
            defer { system.close(there) }
            return try system.exists(in: there, name: StateLock.name)
        } catch {
            // It may be the state folder of another user.
            return error.number == EACCES
        }
    }

    /// A running daemon, and the folder above ours into which it records; nil if that is ours.
    private struct Other {
        var state: String
        var folder: String?
    }

    /// The folders inside a recordings folder that belong to other daemons, with the state folders of these daemons.
    /// `depth`: see ``FolderWalk``. Blocks.
    package static func inner(of recordings: String, depth: Int) -> [(folder: String, state: String)] {
        let system = LinuxFileSystem()
        var walk = FolderWalk(
            root: RecordingsFolder(path: recordings, system: system), system: system, depth: depth)
        while let folder = walk.next({ _ in }) { system.close(folder.descriptor) }
        return walk.unopened.filter { !$0.isEmpty }.compactMap { parts in
            let path = ([recordings] + parts).joined(separator: "/")
            guard let folder = try? system.openFolder(path: path, followsLink: false) else { return nil }
            defer { system.close(folder) }
            return state(of: folder, system).map { (path, $0) }
        }
    }

    /// The running daemon to which the recordings folder, or one above it, belongs; nil if it belongs to none, and is
    /// ours now.
    private static func other(of recordings: String, than state: String) -> Other? {
        let system = LinuxFileSystem()
        try? system.makeFolders(path: recordings)
        guard let folder = try? system.openFolder(path: recordings, followsLink: true) else { return nil }
        defer { system.close(folder) }
        // Two daemons may start at the same time.
        try? system.waitForLock(folder)
        guard let own = try? system.openFolder(path: state, followsLink: true) else { return nil }
        defer { system.close(own) }
        if let named = runningState(of: folder, than: own, system) { return Other(state: named) }
        if !isMarked(folder, by: own, system), let above = runningAbove(folder, than: own, system) { return above }
        if let path = try? system.path(of: own) {
            try? system.mark(folder, attribute, Array(mark(of: folder, system).utf8) + PathText.bytes(of: path))
        }
        return nil
    }

    /// The running daemon to which a folder above this one belongs; nil if there is none.
    private static func runningAbove(_ folder: CInt, than own: CInt, _ system: LinuxFileSystem) -> Other? {
        var (below, up) = (try? system.status(of: folder), "..")
        while let above = try? system.openFolder(in: folder, name: up) {
            defer { system.close(above) }
            let status = try? system.status(of: above)
            // In the topmost folder, `..` is the folder itself.
            if let status, let below, status.isSame(as: below) { break }
            if let named = runningState(of: above, than: own, system) {
                return Other(state: named, folder: try? system.path(of: above))
            }
            (below, up) = (status, up + "/..")
        }
        return nil
    }

    /// Whether a folder belongs to the daemon with the state folder `own`.
    private static func isMarked(_ folder: CInt, by own: CInt, _ system: LinuxFileSystem) -> Bool {
        guard let named = state(of: folder, system), let there = try? system.openFolder(path: named, followsLink: true)
        else { return false }
        defer { system.close(there) }
        guard let status = try? system.status(of: there), let ours = try? system.status(of: own) else { return false }
        return status.isSame(as: ours)
    }

    /// The state folder of a folder's daemon, if that daemon runs and its state folder is not `own`.
    private static func runningState(of folder: CInt, than own: CInt, _ system: LinuxFileSystem) -> String? {
        guard !isMarked(folder, by: own, system), let named = state(of: folder, system),
            let there = try? system.openFolder(path: named, followsLink: true)
        else { return nil }
        defer { system.close(there) }
        return isLocked(there, system) ? named : nil
    }

    /// Whether a daemon holds the lock of its state folder.
    private static func isLocked(_ folder: CInt, _ system: LinuxFileSystem) -> Bool {
        guard let file = try? system.openFile(in: folder, name: StateLock.name) else { return false }
        defer { system.close(file) }
        return (try? system.lock(file)) == false
    }

    /// The path of the state folder that the attribute names. The attribute of a copied folder has the number of the
    /// original folder, and names none.
    static func state(of folder: CInt, _ system: any FileSystemCalls) -> String? {
        guard let bytes = try? system.mark(of: folder, attribute, atMost: longest) else { return nil }
        let mark = mark(of: folder, system).utf8
        guard bytes.count > mark.count, bytes.starts(with: mark) else { return nil }
        return PathText.text(of: Array(bytes.dropFirst(mark.count)))
    }

    /// Gives this run of the daemon a number, which the recordings folder and the state folder note. Returns whether
    /// the state folder lacks the number that the recordings folder has, but has numbers of earlier runs.
    private static func noteRun(_ recordings: String, state: String) -> Bool {
        let runs = StateFile(folder: state, name: runsFile)
        let known = numbers(in: runs)
        let last = withFolder(recordings) { system, folder in
            let last = number(of: folder, system)
            note("\(UInt64.random(in: 0...UInt64.max)).0", after: known ?? [], runs, folder, system)
            return last
        }
        guard let known, let last else { return false }
        return !known.contains(last)
    }

    /// Gives this run another number, because files were begun or finished: a copy of the state folder that was made
    /// before lacks it. The call blocks on both disks.
    package static func noteNewFiles(_ recordings: String, state: String) {
        let runs = StateFile(folder: state, name: runsFile)
        guard let known = numbers(in: runs), let last = known.first else { return }
        let parts = last.split(separator: ".")
        guard parts.count == 2, let count = Int(parts[1]) else { return }
        withFolder(recordings) { system, folder -> Void? in
            guard number(of: folder, system).map(known.contains) == true else { return nil }
            // The state folder keeps the last number until the recordings folder has the new one.
            let others = known.dropFirst().filter { !$0.hasPrefix(parts[0] + ".") }
            return note("\(parts[0]).\(count + 1)", after: [last] + others, runs, folder, system)
        }
    }

    /// Writes a number in the state folder, and then in the recordings folder: after a power cut, too, the state folder
    /// has the number that the recordings folder has.
    private static func note(
        _ number: String, after others: [String], _ runs: StateFile, _ folder: CInt, _ system: LinuxFileSystem
    ) {
        let numbers = [number] + others.prefix(mostRuns)
        guard (try? runs.write(Array(numbers.joined(separator: "\n").utf8))) != nil else { return }
        try? system.mark(folder, runAttribute, Array((mark(of: folder, system) + number).utf8))
    }

    /// The numbers of the runs that a state folder knows, newest first; nil if it has none.
    private static func numbers(in runs: StateFile) -> [String]? {
        runs.read().map { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) }
    }

    /// The number in a recordings folder; nil if there is none, or if the folder is a copy.
    private static func number(of folder: CInt, _ system: LinuxFileSystem) -> String? {
        guard let bytes = try? system.mark(of: folder, runAttribute, atMost: 64) else { return nil }
        let (text, mark) = (String(decoding: bytes, as: UTF8.self), mark(of: folder, system))
        return text.hasPrefix(mark) ? String(text.dropFirst(mark.count)) : nil
    }

    /// Calls `body` with the open folder. Returns nil if it cannot be opened.
    @discardableResult
    private static func withFolder<Value>(
        _ path: String, _ body: (LinuxFileSystem, CInt) -> Value?
    ) -> Value? {
        let system = LinuxFileSystem()
        guard let folder = try? system.openFolder(path: path, followsLink: true) else { return nil }
        defer { system.close(folder) }
        return body(system, folder)
    }

    private static let runsFile = "runs.txt"
    private static let runAttribute = "user.aircheck.run"
    /// More runs than there are recordings folders that a configuration names in turn.
    private static let mostRuns = 100

    /// A path, behind a number of 64 bits and a space.
    private static let longest = Int(PATH_MAX) + 21

    private static func mark(of folder: CInt, _ system: any FileSystemCalls) -> String {
        "\((try? system.status(of: folder).inode) ?? 0) "
    }
}
