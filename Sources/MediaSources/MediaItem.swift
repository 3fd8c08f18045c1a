// SPDX-License-Identifier: MIT

import RadioCore

/// Something that can be played from its start: a name and its bytes.
package struct MediaItem {
    /// What it is called in notices, and its title where no tag names one. An ending helps to recognise the format.
    package let name: String
    private let content: Content

    private enum Content {
        case bytes([UInt8])
        case staticBytes(UnsafeRawBufferPointer)
    }

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        content = .bytes(bytes)
    }

    /// Bytes that stay where they are for as long as the program runs; they are not copied.
    package init(name: String, staticBytes: UnsafeRawBufferPointer) {
        self.name = name
        content = .staticBytes(staticBytes)
    }

    /// Opens the bytes at their start.
    func open() throws(Failure) -> any MediaReader {
        switch content {
        case .bytes(let bytes): ArrayReader(bytes)
        case .staticBytes(let bytes): StaticBytesReader(bytes)
        }
    }
}
