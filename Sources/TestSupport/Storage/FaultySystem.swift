// SPDX-License-Identifier: MIT

package import Glibc
package import Platform
package import Storage

/// A file system that passes its calls to another file system, records their names, and lets a test decide which of
/// them fail. `close` is not recorded and never fails. On a real disk, syncs are not performed: they would take most of
/// a test's time, and only a simulated disk can lose its power.
package struct FaultySystem: FileSystemCalls {
    private struct State {
        /// The names of all calls so far, in order.
        var log: [String] = []
        /// Returns the error number with which a call fails, given its name and number; nil if it succeeds.
        var fault: @Sendable (String, Int) -> CInt? = { _, _ in nil }
        /// The number of bytes that `write` accepts in total before it fails with ENOSPC.
        var room: Int?
        /// Whether the removal of a file frees its bytes.
        var regainsRoom = false
        /// The maximum length of a name in bytes. Calls with a longer name fail with ENAMETOOLONG.
        var longestName = 255
        /// The number of the call at which the process dies. Neither this call nor any later one has an effect.
        var lastCall = Int.max
    }

    private let base: any FileSystemCalls
    private let isSimulated: Bool
    private let state: Monitor<State>

    /// Uses the machine's real disks.
    package init(_ fault: @escaping @Sendable (String, Int) -> CInt? = { _, _ in nil }) {
        base = LinuxFileSystem()
        isSimulated = false
        state = Monitor(State(fault: fault))
    }

    /// Uses a simulated disk.
    package init(simulating base: any FileSystemCalls) {
        self.base = base
        isSimulated = true
        state = Monitor(State())
    }

    /// The names of all calls so far, in order.
    package var log: [String] { state.withLock { $0.log } }

    /// Sets the function that returns the error number with which a call fails, given its name and number; nil if the
    /// call succeeds. Calls are numbered from 1.
    package func setFault(_ fault: @escaping @Sendable (String, Int) -> CInt?) {
        state.withLock { $0.fault = fault }
    }

    /// Makes each call with one of these names fail with its error number.
    package func setErrors(_ errors: [String: CInt]) { setFault { name, _ in errors[name] } }

    /// Limits the number of bytes that the vectored `write` accepts in total before it fails with ENOSPC; nil for no
    /// limit. `space` reports how many bytes are left. `regains` states whether the removal of a file frees its bytes,
    /// as on a real disk.
    package func setRoom(_ room: Int?, regains: Bool = false) {
        state.withLock { ($0.room, $0.regainsRoom) = (room, regains) }
    }

    /// Sets the maximum length of a name to `bytes` bytes. Calls that create, open or look up a longer name fail. The
    /// limit of eCryptfs is 143.
    package func setLongestName(_ bytes: Int) { state.withLock { $0.longestName = bytes } }

    /// Simulates the death of the process at call `number`. Neither this call nor any later one has an effect.
    package func kill(at number: Int) { state.withLock { $0.lastCall = number } }

    /// Whether the call that was set with ``kill(at:)`` has been made.
    package var isDead: Bool { state.withLock { $0.log.count >= $0.lastCall } }

    private func check(_ name: String) throws(SystemError) {
        if name.utf8.count > state.withLock({ $0.longestName }) { throw SystemError(number: ENAMETOOLONG) }
    }

    private func enter(_ name: String) throws(SystemError) {
        let number = state.withLock { state -> CInt? in
            state.log.append(name)
            return state.log.count >= state.lastCall ? EIO : state.fault(name, state.log.count)
        }
        if let number { throw SystemError(number: number) }
    }

    package func openFolder(path: String, followsLink: Bool) throws(SystemError) -> CInt {
        try enter("openRoot")
        return try base.openFolder(path: path, followsLink: followsLink)
    }

    package func openFolder(in folder: CInt, name: String) throws(SystemError) -> CInt {
        try enter("openFolder")
        try check(name)
        return try base.openFolder(in: folder, name: name)
    }

    package func makeFolder(path: String) throws(SystemError) {
        try enter("makeRoot")
        try base.makeFolder(path: path)
    }

    package func makeFolder(in folder: CInt, name: String) throws(SystemError) {
        try enter("makeFolder")
        try check(name)
        try base.makeFolder(in: folder, name: name)
    }

    package func createFile(in folder: CInt, name: String) throws(SystemError) -> CInt {
        try enter("create")
        try check(name)
        return try base.createFile(in: folder, name: name)
    }

    package func makePrivateFolder(path: String) throws(SystemError) {
        try enter("makePrivateFolder")
        try base.makePrivateFolder(path: path)
    }

    package func createPrivateFile(in folder: CInt, name: String) throws(SystemError) -> CInt {
        try enter("createPrivate")
        try check(name)
        return try base.createPrivateFile(in: folder, name: name)
    }

    package func openFile(in folder: CInt, name: String) throws(SystemError) -> CInt {
        try enter("openFile")
        return try base.openFile(in: folder, name: name)
    }

    package func openToRead(in folder: CInt, name: String) throws(SystemError) -> CInt {
        try enter("openToRead")
        return try base.openToRead(in: folder, name: name)
    }

    package func status(in folder: CInt, name: String) throws(SystemError) -> FileStatus {
        try enter("statusOfName")
        return try base.status(in: folder, name: name)
    }

    package func exists(in folder: CInt, name: String) throws(SystemError) -> Bool {
        try enter("exists")
        try check(name)
        return try base.exists(in: folder, name: name)
    }

    package func device(in folder: CInt, name: String) throws(SystemError) -> UInt64 {
        try enter("device")
        return try base.device(in: folder, name: name)
    }

    package func devices(above folder: CInt) -> Set<UInt64> { base.devices(above: folder) }

    package func path(of folder: CInt) throws(SystemError) -> String {
        try enter("path")
        return try base.path(of: folder)
    }

    package func checkWritable(_ folder: CInt) throws(SystemError) {
        try enter("access")
        try base.checkWritable(folder)
    }

    package func status(of descriptor: CInt) throws(SystemError) -> FileStatus {
        try enter("status")
        return try base.status(of: descriptor)
    }

    package func lock(_ descriptor: CInt) throws(SystemError) -> Bool {
        try enter("lock")
        return try base.lock(descriptor)
    }

    package func waitForLock(_ descriptor: CInt) throws(SystemError) {
        try enter("waitForLock")
        try base.waitForLock(descriptor)
    }

    package func mark(_ descriptor: CInt, _ attribute: String, _ value: [UInt8]) throws(SystemError) {
        try enter("mark")
        try base.mark(descriptor, attribute, value)
    }

    package func unmark(_ descriptor: CInt, _ attribute: String) throws(SystemError) {
        try enter("unmark")
        try base.unmark(descriptor, attribute)
    }

    package func mark(of descriptor: CInt, _ attribute: String, atMost length: Int) throws(SystemError) -> [UInt8]? {
        try enter("isMarked")
        return try base.mark(of: descriptor, attribute, atMost: length)
    }

    package func write(_ descriptor: CInt, _ buffers: UnsafeBufferPointer<iovec>) throws(SystemError) -> Int {
        try enter("writev")
        let wanted = buffers.reduce(0) { $0 + $1.iov_len }
        let allowed = state.withLock { state -> Int? in
            guard let room = state.room else { return nil }
            state.room = room - min(room, wanted)
            return min(room, wanted)
        }
        guard let allowed else { return try base.write(descriptor, buffers) }
        guard allowed > 0 else { throw SystemError(number: ENOSPC) }
        var cut: [iovec] = []
        var rest = allowed
        for var buffer in buffers where rest > 0 {
            buffer.iov_len = min(rest, buffer.iov_len)
            rest -= buffer.iov_len
            cut.append(buffer)
        }
        let result: Result<Int, SystemError> = cut.withUnsafeBufferPointer { buffers in
            Result { () throws(SystemError) in try base.write(descriptor, buffers) }
        }
        return try result.get()
    }

    package func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) -> Int
    {
        try enter("pwrite")
        return try base.write(descriptor, bytes, at: offset)
    }

    package func read(
        _ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    )
        throws(SystemError) -> Int
    {
        try enter("pread")
        return try base.read(descriptor, into: buffer, at: offset)
    }

    package func copy(
        _ source: CInt, _ range: Range<Int64>, to target: CInt, at offset: Int64
    ) throws(SystemError) -> Int {
        try enter("copy")
        return try base.copy(source, range, to: target, at: offset)
    }

    package func copyAccess(of source: CInt, to target: CInt) { base.copyAccess(of: source, to: target) }

    package func truncate(_ descriptor: CInt, to size: Int64) throws(SystemError) {
        try enter("truncate")
        try base.truncate(descriptor, to: size)
    }

    package func sync(_ descriptor: CInt) throws(SystemError) {
        try enter("sync")
        if isSimulated { try base.sync(descriptor) }
    }

    package func syncFolder(_ folder: CInt) throws(SystemError) {
        try enter("syncFolder")
        if isSimulated { try base.syncFolder(folder) }
    }

    package func syncFileSystem(of descriptor: CInt) throws(SystemError) {
        try enter("syncfs")
        if isSimulated { try base.syncFileSystem(of: descriptor) }
    }

    package func rename(in folder: CInt, _ old: String, toFree new: String) throws(SystemError) {
        try enter("rename")
        try check(new)
        try base.rename(in: folder, old, toFree: new)
    }

    package func rename(in folder: CInt, _ old: String, replacing new: String) throws(SystemError) {
        try enter("replace")
        try base.rename(in: folder, old, replacing: new)
    }

    package func exchange(in folder: CInt, _ one: String, _ other: String) throws(SystemError) {
        try enter("exchange")
        try base.exchange(in: folder, one, other)
    }

    package func link(in folder: CInt, _ old: String, toFree new: String) throws(SystemError) {
        try enter("link")
        try base.link(in: folder, old, toFree: new)
    }

    package func remove(in folder: CInt, name: String) throws(SystemError) {
        try enter("remove")
        let size = try? base.status(in: folder, name: name).size
        try base.remove(in: folder, name: name)
        state.withLock { state in
            if state.regainsRoom { state.room? += Int(size ?? 0) }
        }
    }

    package func close(_ descriptor: CInt) {
        // The lock is released explicitly: if another test is just starting a program, the child holds a copy of every
        // descriptor until its exec, so closing the descriptor might not release the lock.
        if !isSimulated { flock(descriptor, LOCK_UN) }
        base.close(descriptor)
    }

    package func space(of descriptor: CInt) throws(SystemError) -> DiskSpace {
        try enter("free")
        var space = try base.space(of: descriptor)
        if let room = state.withLock({ $0.room }) { space.free = Int64(room) }
        return space
    }

    package func names(in folder: CInt, where isWanted: (FolderEntry) -> Bool) throws(SystemError) -> [FolderEntry] {
        try enter("names")
        return try base.names(in: folder, where: isWanted)
    }
}
