// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import TestSupport
import Testing

@testable import Catalog
@testable import Daemon

/// Files that are not there when the catalog is told of them.
struct MissingFilesTests {
    private let folder: TemporaryFolder
    private let catalog: RecordingsCatalog

    init() throws {
        folder = try TemporaryFolder()
        try folder.make("state")
        try folder.make("recordings")
        catalog = try RecordingsCatalog(
            state: folder.file("state"), recordings: folder.file("recordings"), onNotice: { _ in },
            onRebuilt: { _ in })
    }

    @Test func `one whose disk was away is cataloged once it is back`() throws {
        catalog.noteRecorded(path: folder.file("recordings/a.mp3"))
        #expect(try recordings() == 0)
        // Still away.
        #expect(catalog.retryMissing())
        #expect(try recordings() == 0)
        try write("a.mp3")
        #expect(catalog.retryMissing())
        #expect(try recordings() == 1)
        #expect(!catalog.retryMissing())
        catalog.close(within: .seconds(10))
    }

    @Test func `one that was complete before the note of its part is kept`() throws {
        try write("a.mp3")
        catalog.noteRecorded(path: folder.file("recordings/a.mp3"))
        catalog.note(path: folder.file("recordings/a.mp3.part"))
        #expect(try recordings() == 1)
        #expect(!catalog.retryMissing())
        catalog.close(within: .seconds(10))
    }

    private func write(_ name: String) throws {
        let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 2)
        var sidecar = Sidecar(format: format, at: nil, frames: 1, bytes: 417, samples: 1_152, state: .complete)
        sidecar.recording = "r"
        try folder.write("recordings/\(name)", [0])
        try folder.write("recordings/\(name.dropLast(3))json", sidecar.encoded)
    }

    /// How many recordings the catalog has, once it has done everything before.
    private func recordings() throws -> Int {
        let count = Watched<Int?>(nil)
        catalog.ask({ store throws(CatalogError) in
            try store.recordings(CatalogQuery()).count
        }) { answer in
            count.change { $0 = try? answer.get() }
        }
        return try #require(count.wait(within: .seconds(20)) { $0 })
    }
}
