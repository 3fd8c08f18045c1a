// SPDX-License-Identifier: MIT

/// Finds where the header pages of an Ogg file end and its audio begins.
package enum OggHead {
    /// The number of bytes before the first page with a positive granule position; nil if there is no such page.
    package static func length(_ bytes: some IndexedBytes) -> Int? {
        let bytes = Array(bytes)
        var scanner = OggPageScanner()
        bytes.withUnsafeBytes { scanner.append($0) }
        var length = 0
        while let finding = scanner.next() {
            guard case .page(let page, _, let start) = finding else { continue }
            if let granule = page.position, granule > 0 { return length }
            // A page on which no packet ends has no position: it lies in the middle of a packet.
            length = Int(clamping: start) + page.length
        }
        return nil
    }
}
