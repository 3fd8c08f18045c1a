// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing

/// Sidecars that cannot be written, while audio can. Only sidecars are written with `pwrite` here.
@Suite("Sidecars that cannot be written")
struct SidecarFailureTests {
    private let rig: WriterRig

    init() throws { rig = try WriterRig() }

    let spec = SegmentFileSpec(name: "FIP", fileExtension: "mp3", sidecar: [0x7B, 0x7D])

    private func append(_ rig: WriterRig, to file: FileID) {
        _ = rig.writer.append(WriterRig.slice(1, 10), to: file, frames: 1, samples: 1_152)
        rig.pass(.seconds(1))
    }

    private func problems(_ rig: WriterRig) -> [StorageError.Code] {
        rig.reports.compactMap { if case .sidecarFailed(_, let error) = $0 { error.code } else { nil } }
    }

    @Test(
        "A failing sidecar does not stop the audio, is reported once, and is retried until it succeeds",
        arguments: ["pwrite", "replace", "sync"])
    func growing(call: String) throws {
        rig.system.setFault { name, _ in name == call || name == "pwrite" ? EDQUOT : nil }
        let file = rig.writer.open(spec)
        // The audio itself is synced after four seconds at the earliest.
        for _ in 0..<3 { append(rig, to: file) }
        #expect(rig.folder.names() == ["FIP.mp3.part"] && rig.folder.content(of: "FIP.mp3.part")?.count == 30)
        #expect(problems(rig) == [.quota] && rig.reports.compactMap(\.failing).isEmpty)
        rig.system.setFault { _, _ in nil }
        rig.pass(.seconds(2))
        #expect(rig.folder.content(of: "FIP.json") == [0x7B, 0x7D])
        rig.writer.close(file, FileEnding(sidecar: [0x5B, 0x5D]))
        rig.pass()
        #expect(rig.folder.names() == ["FIP.json", "FIP.mp3"] && rig.folder.content(of: "FIP.json") == [0x5B, 0x5D])
    }

    @Test("The last sidecar is retried as well, even after the file is released, and at the end")
    func finished() throws {
        for endsAtOnce in [true, false] {
            let rig = try WriterRig()
            let file = rig.writer.open(spec)
            append(rig, to: file)
            rig.system.setFault { name, _ in name == "pwrite" ? ENOSPC : nil }
            rig.writer.close(file, FileEnding(sidecar: [0x5B, 0x5D]))
            rig.pass(.seconds(1))
            #expect(rig.reports.compactMap(\.finished).count == 1 && problems(rig) == [.noSpace])
            #expect(rig.folder.content(of: "FIP.json") == [0x7B, 0x7D])
            rig.writer.release(file)
            rig.pass()
            rig.system.setFault { _, _ in nil }
            if endsAtOnce { rig.writer.detach() }
            rig.pass(endsAtOnce ? .zero : .seconds(3))
            #expect(rig.folder.names() == ["FIP.json", "FIP.mp3"])
            #expect(rig.folder.content(of: "FIP.json") == [0x5B, 0x5D])
        }
    }

    @Test("A sidecar that is written late has the same checksum as one written in time")
    func checksum() throws {
        let sidecar = Sidecar(.complete, frames: 1, bytes: 10)
        var found: [UInt64?] = []
        for error in [nil, ENOSPC] {
            let rig = try WriterRig()
            var spec = spec
            spec.header = [9, 9, 9]
            let file = rig.writer.open(spec)
            append(rig, to: file)
            rig.system.setFault { name, _ in name == "pwrite" ? error : nil }
            rig.writer.close(file, FileEnding(sidecar: sidecar.encoded))
            rig.pass(.seconds(1))
            rig.system.setFault { _, _ in nil }
            rig.pass(.seconds(3))
            found.append(rig.folder.content(of: "FIP.json").flatMap(Sidecar.init(parsing:))?.checksum)
        }
        var checksum = AudioChecksum()
        [UInt8](repeating: 1, count: 10).withUnsafeBytes { checksum.take($0) }
        #expect(found == [checksum.value, checksum.value])
    }

    @Test("Without space for a second file, the last sidecar overwrites the first", arguments: [1, 6, 9])
    func overwritten(size: Int) throws {
        var spec = spec
        spec.sidecar = Array("{    }".utf8)
        let file = rig.writer.open(spec)
        append(rig, to: file)
        rig.system.setErrors(["create": ENOSPC])
        rig.writer.setSidecar(Array("{  }".utf8), of: file)
        rig.pass()
        #expect(rig.folder.content(of: "FIP.json") == spec.sidecar && problems(rig) == [.noSpace])
        let last = [UInt8](repeating: UInt8(ascii: "1"), count: size)
        rig.writer.close(file, FileEnding(sidecar: last))
        rig.pass(.seconds(1))
        #expect(rig.folder.names() == ["FIP.json", "FIP.mp3"] && rig.folder.content(of: "FIP.json") == last)
        let next = [UInt8](repeating: UInt8(ascii: "2"), count: 20)
        rig.writer.setSidecar(next, of: file)
        rig.pass()
        #expect(rig.folder.content(of: "FIP.json") == next && problems(rig) == [.noSpace])
    }

    @Test("The sidecar of a complete file does not come back after both were deleted")
    func deleted() throws {
        let file = rig.writer.open(spec)
        append(rig, to: file)
        rig.writer.close(file, FileEnding(sidecar: [0x5B, 0x5D]))
        rig.pass(.seconds(1))
        for name in rig.folder.names() { unlink(rig.folder.file(name)) }
        rig.writer.setSidecar([0x7B, 0x20, 0x7D], of: file)
        rig.pass(.seconds(1))
        #expect(rig.folder.names().isEmpty && problems(rig).isEmpty)
    }

    @Test("A complete file in a renamed folder gets no sidecar in a new folder of the old name")
    func renamedFolder() throws {
        var spec = spec
        spec.folders = ["a"]
        let file = rig.writer.open(spec)
        append(rig, to: file)
        rename(rig.folder.file("a"), rig.folder.file("b"))
        mkdir(rig.folder.file("a"), 0o755)
        try rig.folder.write("a/FIP.json", [1])
        rig.writer.close(file, FileEnding(sidecar: [0x5B, 0x5D]))
        rig.pass()
        #expect(rig.reports.compactMap(\.finished).map(\.path) == [rig.folder.file("b/FIP.mp3")])
        rig.writer.setSidecar([0x5B, 0x20, 0x5D], of: file)
        rig.pass()
        #expect(rig.folder.content(of: "a/FIP.json") == [1])
        #expect(rig.folder.content(of: "b/FIP.json") == [0x5B, 0x5D] && problems(rig) == [.missing])
    }
}
