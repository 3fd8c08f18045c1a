// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing

/// Disks that take data only at the end of a file, as mounts of object stores do.
@Suite("Disks that only append")
struct AppendOnlyDiskTests {
    private static let refusals = [EPERM, ESPIPE, EOPNOTSUPP, EINVAL]
    private static let sidecar = Sidecar(.complete, frames: 1, bytes: 417)

    private func problem(of rig: WriterRig) -> StorageError? {
        for case .finished(_, _, let problem) in rig.reports { return problem }
        return nil
    }

    @Test("D32: A file whose head cannot be written again is complete, has its name, and says so", arguments: refusals)
    func head(_ refusal: CInt) throws {
        let rig = try WriterRig()
        rig.system.setErrors(["pwrite": refusal, "truncate": refusal])
        let spec = SegmentFileSpec(
            name: "FIP", fileExtension: "mp3", header: [1, 2, 3], sidecar: Self.sidecar.encoded)
        let file = rig.writer.open(spec)
        _ = rig.writer.append(WriterRig.slice(7, 417), to: file, frames: 1, samples: 1_152)
        rig.writer.close(file, FileEnding(header: [4, 5, 6], sidecar: Self.sidecar.encoded))
        rig.pass(.seconds(1))
        #expect(rig.folder.names() == ["FIP.json", "FIP.mp3"])
        #expect(rig.folder.content(of: "FIP.mp3") == [1, 2, 3] + [UInt8](repeating: 7, count: 417))
        #expect(rig.folder.content(of: "FIP.json").flatMap(Sidecar.init(parsing:))?.state == .complete)
        let problem = try #require(self.problem(of: rig))
        #expect(problem.code == .appendOnly && problem.path == rig.folder.path + "/FIP.mp3")
        #expect(problem.message.contains("tags and length"))
        #expect(!rig.reports.contains { if case .sidecarFailed = $0 { true } else { false } })
    }

    @Test("D32: A disk error while the head is written does not keep the file from its name either")
    func failingHead() throws {
        let rig = try WriterRig()
        rig.system.setErrors(["pwrite": EIO])
        let file = rig.writer.open(SegmentFileSpec(name: "FIP", fileExtension: "mp3", header: [1, 2, 3]))
        _ = rig.writer.append(WriterRig.slice(7, 417), to: file, frames: 1, samples: 1_152)
        rig.writer.close(file, FileEnding(header: [4, 5, 6]))
        rig.pass(.seconds(1))
        #expect(rig.folder.names() == ["FIP.mp3"] && problem(of: rig)?.code == .inputOutput)
    }

    @Test("D32: A part on such a disk is completed once, and the next start does not try again", arguments: refusals)
    func recovery(_ refusal: CInt) throws {
        let rig = try WriterRig()
        let begun = Sidecar(.growing)
        try rig.folder.write("FIP.json", begun.encoded)
        let content = (0..<5).flatMap(WriterRig.frame) + WriterRig.frame(9).prefix(100)
        try rig.folder.write("FIP.mp3.part", content)
        rig.system.setErrors(["pwrite": refusal, "truncate": refusal])
        var files: [RecoveredFile] = []
        for _ in 0..<2 {
            rig.writer.recover(writesSidecars: true, depth: 0)
            rig.pass()
            files = rig.reports.flatMap { report -> [RecoveredFile] in
                if case .recovered(let files) = report { files } else { [] }
            }
        }
        #expect(rig.folder.names() == ["FIP.json", "FIP.mp3"] && rig.folder.content(of: "FIP.mp3") == content)
        #expect(files.map(\.outcome) == [.completed] && files.map(\.frames) == [5])
        #expect(files.first?.unpatched?.code == .appendOnly)
        let sidecar = rig.folder.content(of: "FIP.json").flatMap(Sidecar.init(parsing:))
        #expect(sidecar?.state == .interrupted && sidecar?.frames == 5)
    }
}
