// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Platform
import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing

@Suite("Writing segments")
struct SegmentWriterTests {
    let spec = SegmentFileSpec(name: "FIP", fileExtension: "mp3", header: [1, 2, 3], sidecar: [0x7B, 0x7D])

    @Test("A file grows as .part, and gets its name, patched header and sidecar when it is closed")
    func life() throws {
        let rig = try WriterRig()
        let file = rig.writer.open(spec)
        #expect(rig.writer.append(WriterRig.slice(7, 10), to: file, frames: 1, samples: 1_152) == .queued)
        rig.pass(.seconds(1))
        #expect(rig.folder.names() == ["FIP.json", "FIP.mp3.part"])
        #expect(rig.folder.content(of: "FIP.mp3.part") == [1, 2, 3] + [UInt8](repeating: 7, count: 10))

        rig.writer.close(file, FileEnding(header: [4, 5, 6], sidecar: [0x5B, 0x5D]))
        rig.pass()
        #expect(rig.folder.names() == ["FIP.json", "FIP.mp3"])
        #expect(rig.folder.content(of: "FIP.mp3") == [4, 5, 6] + [UInt8](repeating: 7, count: 10))
        #expect(rig.folder.content(of: "FIP.json") == [0x5B, 0x5D])
        var facts = try #require(rig.reports.compactMap(\.finished).first)
        #expect(facts.checksum.take() != nil)
        #expect(facts == FileFacts(path: rig.folder.path + "/FIP.mp3", frames: 1, bytes: 10, samples: 1_152))
        let order = rig.system.log.filter { ["pwrite", "sync", "rename", "syncFolder", "replace"].contains($0) }
        let closing = ["pwrite", "sync", "rename", "syncFolder", "pwrite", "sync", "replace", "syncFolder"]
        #expect(Array(order.suffix(closing.count)) == closing)
    }

    @Test("H21: Folders and files whose names are not UTF-8 are made, described and found by their bytes")
    func rawNames() throws {
        let folder = try TemporaryFolder()
        let name = PathText.text(of: [0x73, 0xFC])
        let rig = try WriterRig(folder: folder, subfolder: "/\(name)")
        var spec = spec
        (spec.name, spec.folders) = (name, [name])
        let file = rig.writer.open(spec)
        _ = rig.writer.append(WriterRig.frame(1), to: file, frames: 1, frameBytes: 417, samples: 1_152)
        let sidecar = Sidecar(.complete, frames: 1, bytes: 417)
        rig.writer.close(file, FileEnding(sidecar: sidecar.encoded))
        rig.pass()
        let raw = Array(folder.path.utf8) + [0x2F, 0x73, 0xFC, 0x2F, 0x73, 0xFC, 0x2F, 0x73, 0xFC]
        for ending in [".mp3", ".json"] {
            let path = (raw + Array(ending.utf8) + [0]).map { CChar(bitPattern: $0) }
            #expect(access(path, F_OK) == 0)
        }
        let found = Array(try Library(path: folder.path + "/" + name, depth: 1).walk())
        #expect(found.map(\.path) == [[name, name + ".mp3"]] && found.first?.sidecar?.frames == 1)
    }

    @Test("The folders of a template are made, with their parents and the root")
    func folders() throws {
        let rig = try WriterRig(subfolder: "/new/root")
        var spec = spec
        spec.folders = ["2026", "11"]
        let file = rig.writer.open(spec)
        _ = rig.writer.append([9], to: file, frames: 1, frameBytes: 1, samples: 1)
        rig.writer.close(file)
        rig.pass()
        #expect(rig.folder.names(in: "new/root/2026/11") == ["FIP.json", "FIP.mp3"])
    }

    @Test("Nothing is replaced, be it a file, a foreign sidecar or a growing part")
    func numbers() throws {
        let rig = try WriterRig()
        try rig.folder.write("FIP.mp3", [1])
        try rig.folder.write("FIP (2).json", [2])
        try rig.folder.write("FIP (3).mp3.part", [3])
        let file = rig.writer.open(spec)
        _ = rig.writer.append([9], to: file, frames: 1, frameBytes: 1, samples: 1)
        rig.pass(.seconds(1))
        #expect(rig.folder.names().contains("FIP (4).mp3.part"))

        // Another program takes the name at the last moment.
        try rig.folder.write("FIP (4).mp3", [4])
        try rig.folder.write("FIP (5).json", [5])
        rig.writer.close(file, FileEnding(sidecar: [6]))
        rig.pass()
        #expect(rig.folder.content(of: "FIP.mp3") == [1])
        #expect(rig.folder.content(of: "FIP (2).json") == [2])
        #expect(rig.folder.content(of: "FIP (3).mp3.part") == [3])
        #expect(rig.folder.content(of: "FIP (4).mp3") == [4])
        #expect(rig.folder.content(of: "FIP (5).json") == [5])
        #expect(rig.folder.content(of: "FIP (6).mp3") == [1, 2, 3, 9])
        #expect(rig.folder.content(of: "FIP (6).json") == [6])
        #expect(!rig.folder.names().contains("FIP (4).json"))
    }

    @Test("Two writers of one folder use different names")
    func twoWriters() throws {
        let rig = try WriterRig()
        let other = SegmentWriter(queue: rig.queue, root: rig.folder.path) { _ in }
        let first = rig.writer.open(spec)
        let second = other.open(spec)
        _ = rig.writer.append([8], to: first, frames: 1, frameBytes: 1, samples: 1)
        _ = other.append([9], to: second, frames: 1, frameBytes: 1, samples: 1)
        rig.writer.close(first)
        other.close(second)
        rig.pass()
        #expect(rig.folder.content(of: "FIP.mp3") == [1, 2, 3, 8])
        #expect(rig.folder.content(of: "FIP (2).mp3") == [1, 2, 3, 9])
        other.detach()
    }

    @Test("Names that would leave the folder are refused", arguments: 0..<5)
    func badNames(index: Int) throws {
        let name = ["..", ".", "", "a/b", "a\0b"][index]
        let rig = try WriterRig()
        var spec = spec
        spec.folders = [name]
        _ = rig.writer.open(spec)
        rig.pass()
        #expect(rig.reports.compactMap(\.failing).first?.code == .badName && rig.folder.names() == [])
    }

    @Test("A link in place of a subfolder is not followed, but the configured root may be a link")
    func links() throws {
        let rig = try WriterRig(subfolder: "/link")
        let elsewhere = try TemporaryFolder()
        symlink(elsewhere.path, rig.folder.path + "/link")
        let first = rig.writer.open(SegmentFileSpec(name: "a", fileExtension: "mp3"))
        _ = rig.writer.append([1], to: first, frames: 1, frameBytes: 1, samples: 1)
        rig.writer.close(first)
        rig.pass()
        #expect(elsewhere.names() == ["a.mp3"])

        symlink("/tmp", elsewhere.path + "/sub")
        _ = rig.writer.open(SegmentFileSpec(folders: ["sub"], name: "b", fileExtension: "mp3"))
        rig.pass()
        #expect(rig.reports.compactMap(\.failing).first?.code == .notAFolder)
    }

    @Test("Each delivery is written at once, more within 100 ms are gathered, and syncs come every fifth second")
    func gathering() throws {
        let rig = try WriterRig()
        let file = rig.writer.open(SegmentFileSpec(name: "a", fileExtension: "mp3"))
        rig.pass()
        func append(_ count: Int, every pause: Duration) -> (writes: Int, syncs: Int) {
            let before = rig.system.log.count
            for index in 0..<count {
                _ = rig.writer.append(WriterRig.slice(UInt8(index), 417), to: file, frames: 1, samples: 1_152)
                rig.pass()
                let isWritten = rig.queue.figures.waitingBytes == 0
                #expect(isWritten || pause < .milliseconds(100))
                rig.pass(pause)
            }
            let log = rig.system.log[before...]
            return (log.count { $0 == "writev" }, log.count { $0 == "sync" })
        }
        let deliveries = append(30, every: .milliseconds(667))
        #expect(deliveries.writes == 30 && (4...5).contains(deliveries.syncs), "\(deliveries) in 20 s")
        let crumbs = append(200, every: .milliseconds(25))
        #expect((40...51).contains(crumbs.writes), "\(crumbs) in 5 s")
        rig.writer.close(file)
        rig.pass()
        #expect(rig.folder.content(of: "a.mp3")?.count == 230 * 417)
    }

    @Test("At full speed, batches of a megabyte and more are written in few calls")
    func batches() throws {
        let rig = try WriterRig()
        let file = rig.writer.open(SegmentFileSpec(name: "a", fileExtension: "mp3"))
        for index in 0..<64 {
            _ = rig.writer.append(WriterRig.slice(UInt8(index), 65_536), to: file, frames: 1, samples: 1_152)
        }
        rig.pass()
        #expect(rig.system.log.count { $0 == "writev" } == 1 && rig.queue.figures.waitingBytes == 0)
        rig.writer.close(file)
        rig.pass()
        #expect(rig.folder.content(of: "a.mp3")?.count == 64 * 65_536)
    }

    @Test("Many files are synced with one call")
    func manyFiles() throws {
        let rig = try WriterRig()
        let files = (0..<12).map { rig.writer.open(SegmentFileSpec(name: "\($0)", fileExtension: "mp3")) }
        for _ in 0..<60 {
            for file in files { _ = rig.writer.append([1, 2], to: file, frames: 1, frameBytes: 1, samples: 1) }
            rig.pass(.milliseconds(100))
        }
        #expect(rig.system.log.count { $0 == "syncfs" } == 1)
        #expect(rig.system.log.count { $0 == "sync" } == 0)
    }

    @Test("A source is asked to pause above the high-water mark, and to resume below the low one")
    func waterMarks() throws {
        var limits = WriterLimits()
        limits.highWater = 1_000
        limits.lowWater = 500
        let rig = try WriterRig(limits: limits)
        let file = rig.writer.open(SegmentFileSpec(name: "a", fileExtension: "mp3"))
        #expect(rig.writer.append(WriterRig.slice(1, 999), to: file, frames: 1, samples: 1) == .queued)
        #expect(rig.writer.append(WriterRig.slice(1, 1), to: file, frames: 1, samples: 1) == .aboveHighWater)
        rig.pass(.seconds(1))
        #expect(rig.reports.count { $0.isDrained } == 1)
        #expect(rig.writer.append(WriterRig.slice(1, 1), to: file, frames: 1, samples: 1) == .queued)
    }

    @Test("A source is asked to pause while many files are to be completed, and to resume when one of them is")
    func endings() throws {
        var limits = WriterLimits()
        limits.mostEndings = 3
        let rig = try WriterRig(limits: limits)
        let answers = (0..<4).map { number in
            let file = rig.writer.open(SegmentFileSpec(name: "\(number)", fileExtension: "mp3"))
            defer { rig.writer.close(file) }
            return rig.writer.append(WriterRig.slice(1, 10), to: file, frames: 1, samples: 1)
        }
        #expect(answers == [.queued, .queued, .queued, .aboveHighWater])
        rig.pass()
        let reports = rig.reports.filter { $0.finished != nil || $0.isDrained }
        #expect(reports.map(\.isDrained) == [false, false, true, false, false])
    }

    @Test("A writer thread writes the same on the real clock")
    func thread() throws {
        let folder = try TemporaryFolder()
        let thread = try WriterThread()
        let ended = Monitor<FileFacts?>(nil)
        let writer = SegmentWriter(queue: thread.queue, root: folder.path) { report in
            guard let facts = report.finished else { return }
            ended.withLock { $0 = facts }
            ended.signal()
        }
        let file = writer.open(spec)
        for byte in 0..<100 { _ = writer.append(WriterRig.slice(UInt8(byte), 30_000), to: file, frames: 1, samples: 1) }
        writer.close(file)
        let facts = ended.wait(until: .read() + .seconds(30)) { $0 }
        thread.shutDown()
        #expect(facts?.frames == 100)
        #expect(folder.content(of: "FIP.mp3")?.count == 3_000_003)
    }
}
