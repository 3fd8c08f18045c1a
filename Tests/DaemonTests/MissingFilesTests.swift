// SPDX-License-Identifier: MIT

import Glibc
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Catalog
@testable import Daemon

/// Files that do not exist when the catalog is notified of them.
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

    @Test("A file whose disk was unavailable is cataloged once the disk is back") func unavailableDisk() throws {
        catalog.noteRecorded(path: folder.file("recordings/a.mp3"))
        #expect(try recordings() == 0)
        // The disk is still unavailable.
        #expect(catalog.retryMissing())
        #expect(try recordings() == 0)
        try write("a.mp3")
        #expect(catalog.retryMissing())
        #expect(try recordings() == 1)
        #expect(!catalog.retryMissing())
        catalog.close(within: .seconds(10))
    }

    @Test("A file that was complete before its part was noted stays in the catalog") func completeBeforeNote() throws {
        try write("a.mp3")
        catalog.noteRecorded(path: folder.file("recordings/a.mp3"))
        catalog.note(path: folder.file("recordings/a.mp3.part"))
        #expect(try recordings() == 1)
        #expect(!catalog.retryMissing())
        catalog.close(within: .seconds(10))
    }

    @Test("A file that a recording left behind is cataloged again when it is complete") func leftBehind() throws {
        try write("a.mp3.part", .growing)
        catalog.noteLeftBehind(path: folder.file("recordings/a.mp3.part"))
        #expect(try recordings() == 1)
        // The disk still hangs.
        #expect(catalog.retryMissing())
        #expect(try recordings { $0.state == .complete } == 0)
        rename(folder.file("recordings/a.mp3.part"), folder.file("recordings/a.mp3"))
        try write("a.mp3")
        #expect(catalog.retryMissing())
        #expect(try recordings { $0.state == .complete } == 1)
        #expect(!catalog.retryMissing())
        catalog.close(within: .seconds(10))
    }

    private func write(_ name: String, _ state: Sidecar.State = .complete) throws {
        var sidecar = Sidecar(state, frames: 1, bytes: 417)
        sidecar.recording = "r"
        try folder.write("recordings/\(name)", [0])
        try folder.write("recordings/\(name.prefix { $0 != "." }).json", sidecar.encoded)
    }

    /// How many matching recordings the catalog has, once it has done all earlier work.
    private func recordings(_ isWanted: @escaping @Sendable (CatalogRecording) -> Bool = { _ in true }) throws -> Int {
        let count = Watched<Int?>(nil)
        catalog.ask({ store throws(CatalogError) in
            try store.recordings(CatalogQuery()).count(where: isWanted)
        }) { answer in
            count.change { $0 = try? answer.get() }
        }
        return try #require(count.wait(within: .seconds(20)) { $0 })
    }
}
