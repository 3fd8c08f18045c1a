// SPDX-License-Identifier: MIT

import Platform
import RadioCore

/// Something that can be played from its start: a name and its bytes.
package struct MediaItem {
    /// What it is called in notices. An ending helps to recognise the format.
    package let name: String
    /// Its title where no tag names one; nil where nothing is known.
    let title: String?
    /// What tells it from other items, in this round and in the next.
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

    /// Bytes that stay where they are for as long as the program runs; they are not copied.
    package init(name: String, staticBytes: UnsafeRawBufferPointer) {
        self.init(name: name, key: name, title: FileTitle.title(ofFile: name), content: .staticBytes(staticBytes))
    }

    /// A file of the disk; `title` is what a playlist says of it.
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

    /// The same under a key that is its own.
    func keyed(_ key: String) -> MediaItem {
        var copy = self
        copy.key = key
        return copy
    }

    /// Whether it can be read only once, and comes when it comes.
    var isStream: Bool {
        if case .stream = content { true } else { false }
    }

    /// What changes when a file is another, or has other bytes; nil where there is none, and for what is no file.
    var fileIdentity: FileIdentity? {
        if case .file(let path) = content { FileIdentity(path: path) } else { nil }
    }

    /// Opens the bytes at their start. Blocks for what is not in memory; `stop` ends the wait for a stream.
    func open(_ stop: StopFlag?) throws(Failure) -> any MediaReader {
        switch content {
        case .bytes(let bytes): ArrayReader(bytes)
        case .staticBytes(let bytes): StaticBytesReader(bytes)
        case .file(let path): try FileReader(path)
        case .stream(let origin): try StreamReader(origin, stop)
        }
    }
}
