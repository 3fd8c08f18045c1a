// SPDX-License-Identifier: MIT

import Glibc
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import Storage

/// Companions that grow with the audio.
struct GrowingCompanionTests {
    private let spec = SegmentFileSpec(name: "FIP", fileExtension: "mp3", sidecar: [0x7B, 0x7D])

    private func append(_ rig: WriterRig, to file: FileID, _ bytes: [UInt8]) {
        _ = rig.writer.append(WriterRig.slice(1, 10), to: file, frames: 1, samples: 1_152)
        rig.writer.append(bytes, to: .index, of: file)
        rig.pass(.seconds(6))
    }

    @Test("A companion grows with the audio, and after it until the file is released") func growing() throws {
        let rig = try WriterRig()
        let file = rig.writer.open(spec)
        append(rig, to: file, FrameIndex.mark)
        #expect(rig.folder.content(of: "FIP.index") == FrameIndex.mark)
        append(rig, to: file, [1])
        #expect(rig.folder.content(of: "FIP.index") == FrameIndex.mark + [1])
        rig.writer.append([2], to: .index, of: file)
        rig.writer.close(file)
        rig.pass()
        rig.writer.append([3], to: .index, of: file)
        rig.writer.release(file)
        rig.writer.append([4], to: .index, of: file)
        rig.pass()
        #expect(rig.folder.names() == ["FIP.index", "FIP.json", "FIP.mp3"])
        #expect(rig.folder.content(of: "FIP.index") == FrameIndex.mark + [1, 2, 3])
    }

    @Test("A companion that was made anew after its file was finished grows no further") func madeAnew() throws {
        let rig = try WriterRig()
        let file = rig.writer.open(spec)
        append(rig, to: file, FrameIndex.mark)
        rig.writer.close(file)
        rig.pass()
        try rig.folder.write("FIP.index", FrameIndex.mark + [1, 2])
        rig.writer.append([1], to: .index, of: file)
        rig.pass()
        #expect(rig.folder.content(of: "FIP.index") == FrameIndex.mark + [1, 2])
    }

    @Test("A companion that cannot be written grows no further, and the audio does not suffer") func failing() throws {
        let rig = try WriterRig()
        let file = rig.writer.open(spec)
        append(rig, to: file, FrameIndex.mark)
        rig.system.setFault { name, _ in name == "pwrite" ? ENOSPC : nil }
        append(rig, to: file, [1])
        rig.system.setFault { _, _ in nil }
        append(rig, to: file, [2])
        rig.writer.close(file)
        rig.pass()
        rig.writer.append([3], to: .index, of: file)
        rig.pass()
        #expect(rig.folder.content(of: "FIP.index") == FrameIndex.mark)
        #expect(rig.folder.content(of: "FIP.mp3")?.count == 30 && rig.reports.compactMap(\.failing).isEmpty)
    }

    @Test("A companion is whole beside a file that is begun anew, and one that is too short to have had it")
    func begunAnew() throws {
        let rig = try WriterRig()
        let file = rig.writer.open(spec)
        rig.pass()
        rig.writer.append(FrameIndex.mark, to: .index, of: file)
        rig.system.setFault { name, _ in name == "writev" ? ENOSPC : nil }
        _ = rig.writer.append(WriterRig.slice(1, 10), to: file, frames: 1, samples: 1_152)
        rig.pass(.seconds(2))
        rig.system.setFault { _, _ in nil }
        append(rig, to: file, [1])
        #expect(rig.folder.content(of: "FIP.index") == FrameIndex.mark + [1])
        let short = rig.writer.open(SegmentFileSpec(name: "short", fileExtension: "mp3", sidecar: [0x7B, 0x7D]))
        _ = rig.writer.append(WriterRig.slice(1, 10), to: short, frames: 1, samples: 1_152)
        for id in [file, short] { rig.writer.close(id) }
        rig.pass()
        for bytes in [[3], FrameIndex.mark, [4]] { rig.writer.append(bytes, to: .index, of: short) }
        rig.pass()
        #expect(rig.folder.content(of: "short.index") == FrameIndex.mark + [4])
    }

    @Test("A foreign file with the companion's name stays as it is") func foreign() throws {
        let rig = try WriterRig()
        let file = rig.writer.open(spec)
        _ = rig.writer.append(WriterRig.slice(1, 10), to: file, frames: 1, samples: 1_152)
        rig.pass(.seconds(1))
        try rig.folder.write("FIP.index", [9])
        append(rig, to: file, FrameIndex.mark)
        rig.writer.close(file)
        rig.pass()
        rig.writer.append([1], to: .index, of: file)
        rig.pass()
        #expect(rig.folder.content(of: "FIP.index") == [9] && rig.folder.content(of: "FIP.mp3")?.count == 20)
    }
}
