// SPDX-License-Identifier: MIT

extension MemoryDisk {
    /// The file system after a power cut at this moment, by the rules of file systems with a journal, such as ext4 and
    /// XFS, or weaker rules:
    ///
    /// - Changes of names and attributes reach the disk in order, and any number of the latest changes is lost. Only
    ///   the sync of a folder keeps them. The sync of a file does not, although it does on ext4 and XFS.
    /// - All synced content of a file survives. Each page written since then may survive or not. If the file has grown
    ///   beyond a page that does not survive, that page is zeros.
    func afterPowerCut(using random: inout some RandomNumberGenerator) -> MemoryDisk {
        let names = journal.randomElement(using: &random) ?? [:]
        var found: [UInt64: Node] = [Self.root: Node(isFolder: true)]
        var folders = [Self.root]
        while let folder = folders.popLast() {
            // Sorted, so that a seed always gives the same result.
            for (name, number) in (names[folder]?.names ?? [:]).sorted(by: { $0.key < $1.key }) {
                guard let old = names[number], let last = nodes[number] else { continue }
                found[folder]?.names[name] = number
                if found[number] != nil {
                    found[number]?.links += 1
                    continue
                }
                var node = Node(isFolder: old.isFolder)
                node.marks = old.marks
                node.content = Self.survivors(of: last, using: &random)
                found[number] = node
                if old.isFolder { folders.append(number) }
            }
        }
        return MemoryDisk(nodes: found)
    }

    private static let pageSize = 4_096

    private static func survivors(of node: Node, using random: inout some RandomNumberGenerator) -> [UInt8] {
        let (synced, written) = (node.syncedContent, node.content)
        guard synced != written else { return written }
        let (shorter, longer) = (min(synced.count, written.count), max(synced.count, written.count))
        var content = synced.prefix(longer) + [UInt8](repeating: 0, count: longer - synced.count)
        for start in stride(from: 0, to: written.count, by: pageSize) where Bool.random(using: &random) {
            let page = start..<min(start + pageSize, written.count)
            content.replaceSubrange(page, with: written[page])
        }
        let sizes = [synced.count, written.count, Int.random(in: shorter...longer, using: &random)]
        return Array(content.prefix(sizes.randomElement(using: &random) ?? longer))
    }
}
