// SPDX-License-Identifier: MIT

package import Glibc
package import Platform
package import Storage

/// A file system in memory with a single root folder, so that recordings can be made millions of times. It counts its
/// calls. Sendable, because a single monitor protects everything.
package struct MemorySystem: FileSystemCalls {
    /// The work requested so far.
    package struct Work: Hashable, Sendable {
        package var calls = 0
        package var bytesWritten = 0
    }

    private let state: Monitor<MemoryDisk>

    /// Makes an empty file system. `room` is the number of bytes that fit before the disk is full; nil for no limit.
    /// `tracksSyncs` states whether to remember the state at each sync, for ``afterPowerCut(using:)``.
    package init(room: Int? = nil, tracksSyncs: Bool = false) {
        state = Monitor(MemoryDisk(room: room, tracksSyncs: tracksSyncs))
    }

    private init(_ disk: MemoryDisk) {
        state = Monitor(disk)
    }

    /// The file system after a power cut at this moment: everything that was synced, and a random part of the rest.
    /// Only for a system that tracks syncs.
    package func afterPowerCut(using random: inout some RandomNumberGenerator) -> MemorySystem {
        MemorySystem(state.withLock { $0 }.afterPowerCut(using: &random))
    }

    package var work: Work { state.withLock { $0.work } }

    /// The number of open files and folders.
    package var openDescriptors: Int { state.withLock { $0.open.count } }

    /// All files by their paths below the root folder.
    package var files: [String: [UInt8]] {
        state.withLock { state in
            var files: [String: [UInt8]] = [:]
            var folders = [("", MemoryDisk.root)]
            while let (path, folder) = folders.popLast() {
                for (name, number) in state.nodes[folder]?.names ?? [:] {
                    guard let node = state.nodes[number] else { continue }
                    if node.isFolder {
                        folders.append((path + name + "/", number))
                    } else {
                        files[path + name] = node.content
                    }
                }
            }
            return files
        }
    }

    /// Performs and counts a call. `body` returns its error, because a monitor's closure cannot throw typed errors.
    private func call<Value>(_ body: (inout MemoryDisk) -> Result<Value, SystemError>) throws(SystemError) -> Value {
        try state.withLock { state in
            state.work.calls += 1
            return body(&state)
        }.get()
    }
}

// MARK: - Names

extension MemorySystem {
    /// Every path leads to the root folder.
    package func openFolder(path: String, followsLink: Bool) throws(SystemError) -> CInt {
        try call { .success($0.open(MemoryDisk.root)) }
    }

    package func openFolder(in folder: CInt, name: String) throws(SystemError) -> CInt {
        try call { state in
            guard let number = state.node(folder, name) else { return .failure(SystemError(number: ENOENT)) }
            guard state.nodes[number]?.isFolder == true else { return .failure(SystemError(number: ENOTDIR)) }
            return .success(state.open(number))
        }
    }

    package func makeFolder(path: String) throws(SystemError) {
        throw SystemError(number: EEXIST)
    }

    package func makeFolder(in folder: CInt, name: String) throws(SystemError) {
        _ = try call { $0.make(MemoryDisk.Node(isFolder: true), folder, name) }
    }

    package func createFile(in folder: CInt, name: String) throws(SystemError) -> CInt {
        try call { state in state.make(MemoryDisk.Node(isFolder: false), folder, name).map { state.open($0) } }
    }

    package func makePrivateFolder(path: String) throws(SystemError) {
        try makeFolder(path: path)
    }

    package func createPrivateFile(in folder: CInt, name: String) throws(SystemError) -> CInt {
        try createFile(in: folder, name: name)
    }

    package func openFile(in folder: CInt, name: String) throws(SystemError) -> CInt {
        try call { state in
            guard let number = state.node(folder, name) else { return .failure(SystemError(number: ENOENT)) }
            return .success(state.open(number))
        }
    }

    package func openToRead(in folder: CInt, name: String) throws(SystemError) -> CInt {
        try openFile(in: folder, name: name)
    }

    package func status(in folder: CInt, name: String) throws(SystemError) -> FileStatus {
        try call { state in
            guard let number = state.node(folder, name) else { return .failure(SystemError(number: ENOENT)) }
            return state.status(of: number)
        }
    }

    package func exists(in folder: CInt, name: String) throws(SystemError) -> Bool {
        try call { .success($0.node(folder, name) != nil) }
    }

    package func device(in folder: CInt, name: String) throws(SystemError) -> UInt64 { 1 }

    package func devices(above folder: CInt) -> Set<UInt64> { [] }

    package func path(of folder: CInt) throws(SystemError) -> String {
        throw SystemError(number: ENOENT)
    }

    package func checkWritable(_ folder: CInt) throws(SystemError) {}

    package func rename(in folder: CInt, _ old: String, toFree new: String) throws(SystemError) {
        try call { $0.link(folder, old, new, isMove: true, mayReplace: false) }
    }

    package func rename(in folder: CInt, _ old: String, replacing new: String) throws(SystemError) {
        try call { $0.link(folder, old, new, isMove: true, mayReplace: true) }
    }

    package func exchange(in folder: CInt, _ one: String, _ other: String) throws(SystemError) {
        try call { $0.exchange(folder, one, other) }
    }

    package func link(in folder: CInt, _ old: String, toFree new: String) throws(SystemError) {
        try call { $0.link(folder, old, new, isMove: false, mayReplace: false) }
    }

    package func remove(in folder: CInt, name: String) throws(SystemError) {
        let isGone = try call { .success($0.remove(folder, name)) }
        guard isGone else { throw SystemError(number: ENOENT) }
    }

    package func names(in folder: CInt, where isWanted: (FolderEntry) -> Bool) throws(SystemError) -> [FolderEntry] {
        try call { state in
            let names = state.open[folder].flatMap { state.nodes[$0.node]?.names } ?? [:]
            let entries = names.map { name, number in
                FolderEntry(name: name, mayBeFolder: state.nodes[number]?.isFolder ?? false)
            }
            return .success(entries.filter(isWanted))
        }
    }
}

// MARK: - Files

extension MemorySystem {
    package func status(of descriptor: CInt) throws(SystemError) -> FileStatus {
        try call { state in
            guard let open = state.open[descriptor] else { return .badDescriptor }
            return state.status(of: open.node)
        }
    }

    package func lock(_ descriptor: CInt) throws(SystemError) -> Bool {
        try call { $0.lock(descriptor) }
    }

    /// Takes the lock if it is free, and never waits: code that runs in memory never has to.
    package func waitForLock(_ descriptor: CInt) throws(SystemError) {
        _ = try lock(descriptor)
    }

    package func mark(_ descriptor: CInt, _ attribute: String, _ value: [UInt8]) throws(SystemError) {
        try call { $0.setMarks(descriptor) { $0[attribute] = value } }
    }

    package func unmark(_ descriptor: CInt, _ attribute: String) throws(SystemError) {
        try call { $0.setMarks(descriptor) { $0[attribute] = nil } }
    }

    package func mark(
        of descriptor: CInt, _ attribute: String, atMost length: Int
    ) throws(SystemError) -> [UInt8]? {
        let value = try call { $0.change(descriptor) { $0.marks[attribute] } }
        return value.map { $0.count <= length ? $0 : [] }
    }

    package func write(_ descriptor: CInt, _ buffers: UnsafeBufferPointer<iovec>) throws(SystemError) -> Int {
        try call { state in
            var bytes: [UInt8] = []
            for buffer in buffers {
                bytes += UnsafeRawBufferPointer(start: buffer.iov_base, count: buffer.iov_len)
            }
            return bytes.withUnsafeBytes { state.append($0, to: descriptor) }
        }
    }

    package func write(
        _ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        try call { $0.write(descriptor, bytes, at: Int(offset)) }
    }

    package func read(
        _ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        try call { state in
            state.change(descriptor) { node in
                let part = node.content.dropFirst(Int(offset)).prefix(buffer.count)
                buffer.copyBytes(from: part)
                return part.count
            }
        }
    }

    /// Files in memory are copied by reading and writing.
    package func copy(
        _ source: CInt, _ range: Range<Int64>, to target: CInt, at offset: Int64
    ) throws(SystemError) -> Int {
        throw SystemError(number: EOPNOTSUPP)
    }

    package func copyAccess(of source: CInt, to target: CInt) {}

    package func truncate(_ descriptor: CInt, to size: Int64) throws(SystemError) {
        try call { state in
            state.change(descriptor) { node in
                node.content.removeLast(max(0, node.content.count - Int(size)))
            }
        }
    }

    package func sync(_ descriptor: CInt) throws(SystemError) {
        try call { $0.change(descriptor) { $0.syncedContent = $0.content } }
    }

    package func syncFolder(_ folder: CInt) throws(SystemError) {
        try call { state in
            state.syncNames()
            return .success(())
        }
    }

    package func syncFileSystem(of descriptor: CInt) throws(SystemError) {
        try call { state in
            state.syncAll()
            return .success(())
        }
    }

    package func close(_ descriptor: CInt) {
        state.withLock { $0.close(descriptor) }
    }

    package func space(of descriptor: CInt) throws(SystemError) -> DiskSpace {
        try call { .success(DiskSpace(free: Int64($0.room ?? .max), size: .max)) }
    }
}
