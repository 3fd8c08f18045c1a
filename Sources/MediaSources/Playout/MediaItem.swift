// SPDX-License-Identifier: MIT

import Platform
import RadioCore

/// Something to play from its start: a name and its bytes.
package struct MediaItem {
    /// The name in notices. Its extension helps to recognise the format.
    package let name: String
    /// The title if no tag names one; nil if unknown.
    let title: String?
    /// Identifies the item, in this round and in the next.
    private(set) var key: String
    private let content: Content

    private enum Content {
        case bytes([UInt8])
        case staticBytes(UnsafeRawBufferPointer)
        /// The path of a file.
        case file(String)
        /// A stream that can be read once: standard input, or the path of a pipe.
        case stream(StreamReader.Origin)
    }

    package init(name: String, bytes: [UInt8]) {
        self.init(name: name, key: name, title: FileTitle.title(ofFile: name), content: .bytes(bytes))
    }

    /// Creates an item in memory. `staticBytes` must stay valid for as long as the program runs; they are not copied.
    package init(name: String, staticBytes: UnsafeRawBufferPointer) {
        self.init(name: name, key: name, title: FileTitle.title(ofFile: name), content: .staticBytes(staticBytes))
    }

    /// A file on disk; `title` comes from a playlist.
    init(file path: String, name: String, title: String? = nil) {
        self.init(name: name, key: path, title: title ?? FileTitle.title(ofFile: name), content: .file(path))
    }

    init(stream origin: StreamReader.Origin, name: String) {
        self.init(name: name, key: name, title: nil, content: .stream(origin))
    }

    private init(name: String, key: String, title: String?, content: Content) {
        self.name = name
        self.key = key
        self.title = title
        self.content = content
    }

    /// A copy of the item with another key.
    func keyed(_ key: String) -> MediaItem {
        var copy = self
        copy.key = key
        return copy
    }

    /// Whether the item can be read only once, at the pace at which its bytes arrive.
    var isStream: Bool {
        if case .stream = content { true } else { false }
    }

    /// Changes when the file is replaced or written to; nil if the file is missing or the item is not a file.
    var fileIdentity: FileIdentity? {
        if case .file(let path) = content { FileIdentity(path: path) } else { nil }
    }

    /// Opens the bytes at their start. Blocks unless they are in memory. Raising `stop` ends the wait for bytes of a
    /// stream.
    func open(_ stop: StopFlag?) throws(Failure) -> any MediaReader {
        switch content {
        case .bytes(let bytes): MemoryReader(bytes)
        case .staticBytes(let bytes): MemoryReader(bytes)
        case .file(let path): try FileReader(path)
        case .stream(let origin): try StreamReader(origin, stop)
        }
    }
}
