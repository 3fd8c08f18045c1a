// SPDX-License-Identifier: MIT

/// Where the header pages of an Ogg file end and its audio begins.
package enum OggHead {
    /// Bytes in front of the first page that says how much audio there is up to its end; nil where there is none.
    package static func length(_ bytes: some IndexedBytes) -> Int? {
        let bytes = Array(bytes)
        var scanner = OggPageScanner()
        bytes.withUnsafeBytes { scanner.append($0) }
        var length = 0
        while let finding = scanner.next() {
            guard case .page(let page, _, let start) = finding else { continue }
            if let granule = page.position, granule > 0 { return length }
            // A page without the end of a packet says nothing, and stands in the middle of one.
            length = Int(clamping: start) + page.length
        }
        return nil
    }
}
