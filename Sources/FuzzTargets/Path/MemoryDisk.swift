// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Storage

/// The files and folders of a ``MemorySystem``, and the parts of them that a power cut would leave.
struct MemoryDisk {
    struct Node {
        var isFolder: Bool
        var links: UInt64 = 1
        var content: [UInt8] = []
        /// The content of a file at its last sync.
        var syncedContent: [UInt8] = []
        /// For a folder: the node of each name.
        var names: [String: UInt64] = [:]
        var marks: [String: [UInt8]] = [:]
    }

    static let root: UInt64 = 1

    private(set) var nodes: [UInt64: Node] = [root: Node(isFolder: true)]
    /// The open descriptors. Each has a node and a write position.
    private(set) var open: [CInt: (node: UInt64, place: Int)] = [:]
    /// The descriptor that holds the lock of each locked node.
    private var locks: [UInt64: CInt] = [:]
    private var lastNode = root
    private var lastDescriptor: CInt = 2
    /// How many more bytes can be written; nil for no limit.
    private(set) var room: Int?
    var work = MemorySystem.Work()
    /// Whether to remember the state at each sync.
    private let tracksSyncs: Bool
    /// The state after each change of names or marks, beginning with the last sync of a folder. Each state is a copy of
    /// the nodes without their content.
    private(set) var journal: [[UInt64: Node]]

    init(room: Int? = nil, tracksSyncs: Bool = false) {
        self.room = room
        self.tracksSyncs = tracksSyncs
        journal = [nodes]
    }

    /// Makes a disk with these nodes. All of them are synced, and none are open.
    init(nodes: [UInt64: Node]) {
        self.init(tracksSyncs: true)
        self.nodes = nodes
        lastNode = nodes.keys.max() ?? Self.root
        syncAll()
    }

    // MARK: Syncs

    /// Adds a change of names or marks to the journal.
    private mutating func noteNames() {
        if tracksSyncs { journal.append(metadata) }
    }

    mutating func syncNames() {
        if tracksSyncs { journal = [metadata] }
    }

    /// The nodes without their content. If the journal's entries had the content, each of them would be a copy of all
    /// files.
    private var metadata: [UInt64: Node] {
        nodes.mapValues { node in
            var node = node
            (node.content, node.syncedContent) = ([], [])
            return node
        }
    }

    mutating func syncAll() {
        for (number, node) in nodes { nodes[number]?.syncedContent = node.content }
        syncNames()
    }

    // MARK: Nodes

    mutating func open(_ node: UInt64) -> CInt {
        lastDescriptor += 1
        open[lastDescriptor] = (node, 0)
        return lastDescriptor
    }

    mutating func close(_ descriptor: CInt) {
        guard let node = open.removeValue(forKey: descriptor)?.node else { return }
        if locks[node] == descriptor { locks[node] = nil }
        forget(node)
    }

    /// Returns false if another descriptor holds the lock.
    mutating func lock(_ descriptor: CInt) -> Result<Bool, SystemError> {
        guard let node = open[descriptor]?.node else { return .badDescriptor }
        guard locks[node] ?? descriptor == descriptor else { return .success(false) }
        locks[node] = descriptor
        return .success(true)
    }

    func node(_ folder: CInt, _ name: String) -> UInt64? {
        open[folder].flatMap { nodes[$0.node]?.names[name] }
    }

    func status(of number: UInt64) -> Result<FileStatus, SystemError> {
        guard let node = nodes[number] else { return .badDescriptor }
        return .success(
            FileStatus(
                size: Int64(node.content.count), device: 1, inode: number, links: node.links,
                isRegularFile: !node.isFolder))
    }

    mutating func make(
        _ node: Node, _ folder: CInt, _ name: String
    ) -> Result<UInt64, SystemError> {
        guard let parent = open[folder]?.node else { return .badDescriptor }
        guard name.utf8.count <= 255 else { return .failure(SystemError(number: ENAMETOOLONG)) }
        guard nodes[parent]?.names[name] == nil else { return .failure(SystemError(number: EEXIST)) }
        lastNode += 1
        nodes[lastNode] = node
        nodes[parent]?.names[name] = lastNode
        noteNames()
        return .success(lastNode)
    }

    mutating func link(
        _ folder: CInt, _ old: String, _ new: String, isMove: Bool, mayReplace: Bool
    ) -> Result<Void, SystemError> {
        guard let parent = open[folder]?.node else { return .badDescriptor }
        guard let number = node(folder, old) else { return .failure(SystemError(number: ENOENT)) }
        guard new.utf8.count <= 255 else { return .failure(SystemError(number: ENAMETOOLONG)) }
        if node(folder, new) != nil {
            guard mayReplace else { return .failure(SystemError(number: EEXIST)) }
            _ = unlink(folder, new)
        }
        nodes[parent]?.names[new] = number
        nodes[number]?.links += 1
        if isMove { _ = unlink(folder, old) }
        noteNames()
        return .success(())
    }

    mutating func exchange(_ folder: CInt, _ one: String, _ other: String) -> Result<Void, SystemError> {
        guard let parent = open[folder]?.node, let first = node(folder, one), let second = node(folder, other) else {
            return .failure(SystemError(number: ENOENT))
        }
        nodes[parent]?.names[one] = second
        nodes[parent]?.names[other] = first
        noteNames()
        return .success(())
    }

    mutating func remove(_ folder: CInt, _ name: String) -> Bool {
        guard unlink(folder, name) else { return false }
        noteNames()
        return true
    }

    private mutating func unlink(_ folder: CInt, _ name: String) -> Bool {
        guard let parent = open[folder]?.node, let number = nodes[parent]?.names.removeValue(forKey: name) else {
            return false
        }
        nodes[number]?.links -= 1
        forget(number)
        return true
    }

    /// Frees a node that has no names and is not open, and that no power cut can bring back.
    private mutating func forget(_ number: UInt64) {
        guard !tracksSyncs, nodes[number]?.links == 0, !open.values.contains(where: { $0.node == number }) else {
            return
        }
        nodes[number] = nil
    }

    mutating func change<Value>(
        _ descriptor: CInt, _ body: (inout Node) -> Value
    ) -> Result<Value, SystemError> {
        guard let number = open[descriptor]?.node, var node = nodes.removeValue(forKey: number) else {
            return .badDescriptor
        }
        defer { nodes[number] = node }
        return .success(body(&node))
    }

    mutating func setMarks(_ descriptor: CInt, _ body: (inout [String: [UInt8]]) -> Void) -> Result<Void, SystemError> {
        defer { noteNames() }
        return change(descriptor) { body(&$0.marks) }
    }

    /// Writes where the descriptor's last write ended.
    mutating func append(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> Result<Int, SystemError> {
        guard let place = open[descriptor]?.place else { return .badDescriptor }
        return write(descriptor, bytes, at: place).map { count in
            open[descriptor]?.place += count
            return count
        }
    }

    mutating func write(
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
    static var badDescriptor: Self { .failure(SystemError(number: EBADF)) }
}
