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

    fileprivate struct Node {
        var isFolder: Bool
        var links: UInt64 = 1
        var content: [UInt8] = []
        /// For a folder: the node of each name.
        var names: [String: UInt64] = [:]
        var marks: Set<String> = []
    }

    fileprivate struct State {
        var nodes: [UInt64: Node] = [root: Node(isFolder: true)]
        /// The open descriptors, each with its node and write position.
        var open: [CInt: (node: UInt64, place: Int)] = [:]
        var lastNode = root
        var lastDescriptor: CInt = 2
        /// How many more bytes can be written; nil for no limit.
        var room: Int?
        var work = Work()
    }

    private static let root: UInt64 = 1
    private let state = Monitor(State())

    /// `room`: the number of bytes that fit before the disk is full; nil for no limit.
    package init(room: Int? = nil) {
        state.withLock { $0.room = room }
    }

    package var work: Work { state.withLock { $0.work } }

    /// The number of open files and folders.
    package var openDescriptors: Int { state.withLock { $0.open.count } }

    /// All files by their paths below the root folder.
    package var files: [String: [UInt8]] {
        state.withLock { state in
            var files: [String: [UInt8]] = [:]
            var folders = [("", Self.root)]
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
    private func call<Value>(_ body: (inout State) -> Result<Value, SystemError>) throws(SystemError) -> Value {
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
        try call { .success($0.open(Self.root)) }
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
        _ = try call { $0.make(Node(isFolder: true), folder, name) }
    }

    package func createFile(in folder: CInt, name: String) throws(SystemError) -> CInt {
        try call { state in state.make(Node(isFolder: false), folder, name).map { state.open($0) } }
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

    package func lock(_ descriptor: CInt) throws(SystemError) -> Bool { true }

    package func waitForLock(_ descriptor: CInt) throws(SystemError) {
        _ = try lock(descriptor)
    }

    package func mark(_ descriptor: CInt, _ attribute: String) throws(SystemError) {
        try call { $0.change(descriptor) { _ = $0.marks.insert(attribute) } }
    }

    package func unmark(_ descriptor: CInt, _ attribute: String) throws(SystemError) {
        try call { $0.change(descriptor) { _ = $0.marks.remove(attribute) } }
    }

    package func isMarked(_ descriptor: CInt, _ attribute: String) throws(SystemError) -> Bool {
        try call { $0.change(descriptor) { $0.marks.contains(attribute) } }
    }

    package func write(_ descriptor: CInt, _ buffers: UnsafeBufferPointer<iovec>) throws(SystemError) -> Int {
        try call { state in
            guard let place = state.open[descriptor]?.place else { return .badDescriptor }
            var bytes: [UInt8] = []
            for buffer in buffers {
                bytes += UnsafeRawBufferPointer(start: buffer.iov_base, count: buffer.iov_len)
            }
            return bytes.withUnsafeBytes { state.write(descriptor, $0, at: place) }.map { count in
                state.open[descriptor]?.place += count
                return count
            }
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

    package func truncate(_ descriptor: CInt, to size: Int64) throws(SystemError) {
        try call { state in
            state.change(descriptor) { node in
                node.content.removeLast(max(0, node.content.count - Int(size)))
            }
        }
    }

    package func sync(_ descriptor: CInt) throws(SystemError) {
        try call { _ in .success(()) }
    }

    package func syncFolder(_ folder: CInt) throws(SystemError) {
        try call { _ in .success(()) }
    }

    package func syncFileSystem(of descriptor: CInt) throws(SystemError) {
        try call { _ in .success(()) }
    }

    package func close(_ descriptor: CInt) {
        state.withLock { state in
            guard let open = state.open.removeValue(forKey: descriptor) else { return }
            state.forget(open.node)
        }
    }

    package func freeBytes(of descriptor: CInt) throws(SystemError) -> Int64 {
        try call { .success(Int64($0.room ?? .max)) }
    }
}

// MARK: - Nodes

extension MemorySystem.State {
    fileprivate mutating func open(_ node: UInt64) -> CInt {
        lastDescriptor += 1
        open[lastDescriptor] = (node, 0)
        return lastDescriptor
    }

    fileprivate func node(_ folder: CInt, _ name: String) -> UInt64? {
        open[folder].flatMap { nodes[$0.node]?.names[name] }
    }

    fileprivate func status(of number: UInt64) -> Result<FileStatus, SystemError> {
        guard let node = nodes[number] else { return .badDescriptor }
        return .success(
            FileStatus(
                size: Int64(node.content.count), device: 1, inode: number, links: node.links,
                isRegularFile: !node.isFolder))
    }

    fileprivate mutating func make(
        _ node: MemorySystem.Node, _ folder: CInt, _ name: String
    ) -> Result<UInt64, SystemError> {
        guard let parent = open[folder]?.node else { return .badDescriptor }
        guard name.utf8.count <= 255 else { return .failure(SystemError(number: ENAMETOOLONG)) }
        guard nodes[parent]?.names[name] == nil else { return .failure(SystemError(number: EEXIST)) }
        lastNode += 1
        nodes[lastNode] = node
        nodes[parent]?.names[name] = lastNode
        return .success(lastNode)
    }

    fileprivate mutating func link(
        _ folder: CInt, _ old: String, _ new: String, isMove: Bool, mayReplace: Bool
    ) -> Result<Void, SystemError> {
        guard let parent = open[folder]?.node else { return .badDescriptor }
        guard let number = node(folder, old) else { return .failure(SystemError(number: ENOENT)) }
        guard new.utf8.count <= 255 else { return .failure(SystemError(number: ENAMETOOLONG)) }
        if node(folder, new) != nil {
            guard mayReplace else { return .failure(SystemError(number: EEXIST)) }
            _ = remove(folder, new)
        }
        nodes[parent]?.names[new] = number
        nodes[number]?.links += 1
        if isMove { _ = remove(folder, old) }
        return .success(())
    }

    fileprivate mutating func remove(_ folder: CInt, _ name: String) -> Bool {
        guard let parent = open[folder]?.node, let number = nodes[parent]?.names.removeValue(forKey: name) else {
            return false
        }
        nodes[number]?.links -= 1
        forget(number)
        return true
    }

    /// Frees a node that has no names and is not open.
    fileprivate mutating func forget(_ number: UInt64) {
        guard nodes[number]?.links == 0, !open.values.contains(where: { $0.node == number }) else { return }
        nodes[number] = nil
    }

    fileprivate mutating func change<Value>(
        _ descriptor: CInt, _ body: (inout MemorySystem.Node) -> Value
    ) -> Result<Value, SystemError> {
        guard let number = open[descriptor]?.node, var node = nodes.removeValue(forKey: number) else {
            return .badDescriptor
        }
        defer { nodes[number] = node }
        return .success(body(&node))
    }

    fileprivate mutating func write(
        _ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at place: Int
    ) -> Result<Int, SystemError> {
        let count = min(bytes.count, room ?? .max)
        guard count > 0 || bytes.isEmpty else { return .failure(SystemError(number: ENOSPC)) }
        let result = change(descriptor) { node in
            let end = place + count
            if node.content.count < end {
                node.content += [UInt8](repeating: 0, count: end - node.content.count)
            }
            node.content.replaceSubrange(place..<end, with: bytes.prefix(count))
            return count
        }
        if case .success = result {
            room = room.map { $0 - count }
            work.bytesWritten += count
        }
        return result
    }
}

extension Result where Failure == SystemError {
    fileprivate static var badDescriptor: Self { .failure(SystemError(number: EBADF)) }
}
