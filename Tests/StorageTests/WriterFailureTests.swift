// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Platform
import RadioCore
import Storage
import TestSupport
import TestTools
import Testing

/// A minimal recorder: after a cut it continues in a file of the same name.
private final class Follower {
    let rig: WriterRig
    let spec: SegmentFileSpec
    private(set) var current: FileID
    private var seen = 0
    private var isClosed = false

    init(_ rig: WriterRig, _ spec: SegmentFileSpec) {
        self.rig = rig
        self.spec = spec
        current = rig.writer.open(spec)
    }

    func append(_ byte: UInt8, _ count: Int = 10) -> Appended {
        rig.writer.append(WriterRig.slice(byte, count), to: current, frames: 1, samples: 1_152)
    }

    func close() {
        isClosed = true
        rig.writer.close(current, FileEnding(header: [9, 9, 9]))
    }

    func pass(_ duration: Duration = .zero) {
        let end = rig.now + duration
        repeat {
            rig.pass(.milliseconds(100))
            for report in rig.reports.dropFirst(seen) {
                seen += 1
                guard let cut = report.cut else { continue }
                current = rig.writer.resume(cut.id, FileEnding(header: [9, 9, 9]), in: spec)
                if isClosed { rig.writer.close(current, FileEnding(header: [9, 9, 9])) }
            }
        } while rig.now < end
    }

    /// The audio of all finished files in the order of their names, without the files' headers.
    var audio: [UInt8] {
        rig.folder.names().filter { $0.hasSuffix(".mp3") }.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
            .flatMap { rig.folder.content(of: $0)?.dropFirst(3) ?? [] }
    }
}

@Suite("Disks that fail")
struct WriterFailureTests {
    private let rig: WriterRig

    init() throws { rig = try WriterRig() }

    let spec = SegmentFileSpec(name: "FIP", fileExtension: "mp3", header: [1, 2, 3])

    @Test("A full disk ends the file at a whole unit, and waiting data goes to a new file when there is space")
    func noSpace() throws {
        let follower = Follower(rig, spec)
        for byte in 1...10 { _ = follower.append(UInt8(byte)) }
        follower.pass(.seconds(1))
        rig.system.setRoom(25)
        for byte in 11...20 { _ = follower.append(UInt8(byte)) }
        follower.pass(.seconds(2))
        let cut = try #require(rig.reports.compactMap(\.cut).first)
        #expect(cut.facts.frames == 12 && cut.facts.bytes == 120)
        #expect(cut.error.message.hasSuffix("no space left on the disk"))
        #expect(rig.folder.content(of: "FIP.mp3")?.count == 123)
        #expect(rig.reports.compactMap(\.failing).count == 1)

        let before = rig.system.log.count { $0 == "create" }
        follower.pass(.seconds(20))
        #expect(rig.system.log.count { $0 == "create" } - before <= 11)

        rig.system.setRoom(nil)
        for byte in 21...30 { #expect(follower.append(UInt8(byte)) == .queued) }
        follower.pass(.seconds(3))
        #expect(rig.reports.contains { $0.isResumed })
        follower.close()
        follower.pass()
        #expect(follower.audio == WriterRig.bytes(1...30, each: 10))
        #expect(rig.reports.compactMap(\.finished).map(\.frames) == [12, 18])
        #expect(rig.folder.content(of: "FIP.mp3")?.prefix(3) == [9, 9, 9])
    }

    @Test("Where less is free than has to stay free, the file ends, and another begins once a tenth more is free")
    func keptFree() throws {
        let rig = try WriterRig(floor: .bytes(1_000_000))
        rig.system.setRoom(1_001_500)
        let follower = Follower(rig, spec)
        for byte in 1...10 { _ = follower.append(UInt8(byte), 100) }
        follower.pass(.seconds(2))
        for byte in 11...20 { _ = follower.append(UInt8(byte), 100) }
        follower.pass(.seconds(3))
        let cut = try #require(rig.reports.compactMap(\.cut).first)
        #expect(cut.error.code == .keptFree && cut.facts.frames == 10)
        #expect(rig.reports.compactMap(\.failing).map(\.code) == [.keptFree])
        // A few more bytes of room are not worth a file.
        rig.system.setRoom(1_050_000)
        follower.pass(.seconds(20))
        #expect(!rig.reports.contains { $0.isResumed })
        rig.system.setRoom(1_200_000)
        follower.pass(.seconds(5))
        #expect(rig.reports.contains { $0.isResumed })
        follower.close()
        follower.pass()
        #expect(follower.audio == WriterRig.bytes(1...20, each: 100))
    }

    @Test("A file that is cut while closing is completed, and its rest is closed, too")
    func cutWhileClosing() throws {
        let follower = Follower(rig, spec)
        for byte in 1...10 { _ = follower.append(UInt8(byte)) }
        rig.system.setRoom(45)
        follower.close()
        follower.pass(.seconds(3))
        rig.system.setRoom(nil)
        follower.pass(.seconds(3))
        #expect(follower.audio == WriterRig.bytes(1...10, each: 10))
        #expect(rig.folder.names() == ["FIP (2).mp3", "FIP.mp3"])
    }

    @Test("The queue refuses data after its oldest has waited for a minute, and accepts data again afterwards")
    func fullQueue() throws {
        let follower = Follower(rig, spec)
        rig.system.setFault { call, _ in call == "create" ? EACCES : nil }
        var results: [Appended] = []
        for second in 0..<90 {
            results.append(follower.append(UInt8(second)))
            follower.pass(.seconds(1))
        }
        #expect(results.prefix(29).allSatisfy { $0 == .queued } && !results.prefix(59).contains(.refused))
        #expect(results.suffix(29).allSatisfy { $0 == .refused })
        let failing = rig.reports.compactMap(\.failing)
        #expect(failing.map(\.code) == [.denied])
        rig.system.setFault { _, _ in nil }
        follower.pass(.seconds(3))
        #expect(follower.append(100) == .queued)
        follower.close()
        follower.pass()
        #expect(follower.audio.count == (results.count { $0 != .refused } + 1) * 10)
    }

    @Test("A slow disk that still accepts some data is waited for within the memory bounds")
    func slowDisk() throws {
        var limits = WriterLimits()
        limits.highWater = 100
        let rig = try WriterRig(limits: limits)
        let follower = Follower(rig, spec)
        // Every half minute the disk accepts a header and a hundred bytes; the oldest remaining data waits for minutes.
        let calls = Monitor(0)
        rig.system.setFault { call, _ in
            guard call == "writev" else { return nil }
            return calls.withLock { calls in
                calls -= 1
                return calls < 0 ? EIO : nil
            }
        }
        var results: [Appended] = []
        for second in 0..<180 {
            if second % 30 == 29 { calls.withLock { $0 = 2 } }
            results += [follower.append(UInt8(second)), follower.append(UInt8(second))]
            follower.pass(.seconds(1))
        }
        #expect(!results.contains(.refused) && rig.reports.compactMap(\.finished).count >= 4)
        rig.system.setFault { _, _ in nil }
        follower.pass(.seconds(3))
        follower.close()
        follower.pass()
        #expect(follower.audio == WriterRig.bytes(0...179, each: 20))
    }

    @Test("Each queue has a bound, and all queues together have one")
    func byteBounds() throws {
        var limits = WriterLimits()
        limits.clientBytes = 100
        limits.totalBytes = 150
        let rig = try WriterRig(limits: limits)
        let other = SegmentWriter(queue: rig.queue, root: rig.folder.path) { _ in }
        let mine = rig.writer.open(spec)
        let theirs = other.open(spec)
        #expect(
            rig.writer.append([UInt8](repeating: 0, count: 90), to: mine, frames: 1, frameBytes: 1, samples: 1)
                == .queued)
        #expect(
            rig.writer.append([UInt8](repeating: 0, count: 11), to: mine, frames: 1, frameBytes: 1, samples: 1)
                == .refused)
        #expect(
            other.append([UInt8](repeating: 0, count: 50), to: theirs, frames: 1, frameBytes: 1, samples: 1) == .queued)
        #expect(
            other.append([UInt8](repeating: 0, count: 11), to: theirs, frames: 1, frameBytes: 1, samples: 1) == .refused
        )
        other.detach()
    }

    @Test("After a failed sync the file stays a .part without another sync, and a new file follows")
    func failedSync() throws {
        let follower = Follower(rig, spec)
        rig.system.setFault { call, _ in call == "sync" ? EIO : nil }
        for byte in 1...50 {
            _ = follower.append(UInt8(byte))
            follower.pass(.milliseconds(100))
        }
        rig.system.setFault { _, _ in nil }
        follower.pass(.seconds(3))
        #expect(rig.system.log.count { $0 == "sync" } <= 2)
        _ = follower.append(51)
        follower.close()
        follower.pass()
        #expect(rig.folder.names() == ["FIP (2).mp3", "FIP.mp3.part"])
        let left = try #require(rig.reports.compactMap(\.abandoned).first)
        #expect(left.lost == 0)
        let whole =
            (rig.folder.content(of: "FIP.mp3.part")?.dropFirst(3) ?? [])
            + (rig.folder.content(of: "FIP (2).mp3")?.dropFirst(3) ?? [])
        #expect(Array(whole) == WriterRig.bytes(1...51, each: 10))
    }

    @Test("A writer that gives up reports what was lost")
    func givingUp() throws {
        let follower = Follower(rig, spec)
        rig.system.setFault { call, _ in call == "openRoot" ? EIO : nil }
        for byte in 1...5 { _ = follower.append(UInt8(byte)) }
        follower.pass(.seconds(1))
        rig.writer.giveUp()
        rig.pass()
        #expect(rig.reports.compactMap(\.abandoned).map(\.lost) == [5])
        rig.writer.detach()
        rig.pass()
        guard case .detached = rig.reports.last else { throw SetupError("no last report") }
        #expect(rig.queue.limits.totalBytes > 0)
    }

    @Test("A growing file whose folder is deleted is given up within seconds for a file in a new folder")
    func deletedFolder() throws {
        let rig = try WriterRig(subfolder: "/rec")
        let follower = Follower(rig, spec)
        _ = follower.append(1)
        follower.pass(.seconds(1))
        unlink(rig.folder.path + "/rec/FIP.mp3.part")
        rmdir(rig.folder.path + "/rec")
        for byte in 2...12 {
            _ = follower.append(UInt8(byte))
            follower.pass(.seconds(1))
        }
        follower.close()
        follower.pass(.seconds(2))
        #expect(rig.reports.compactMap(\.abandoned).count == 1)
        #expect(rig.reports.compactMap(\.cut).map(\.error.code) == [.missing])
        #expect(rig.folder.names(in: "rec") == ["FIP.mp3"])
        #expect(rig.folder.content(of: "rec/FIP.mp3")?.suffix(1) == [12])
    }

    @Test("A deleted file is not a failure of the disk, and its content is reported as lost")
    func deletedFile() throws {
        var spec = spec
        spec.sidecar = [0x7B, 0x7D]
        let follower = Follower(rig, spec)
        _ = follower.append(1)
        follower.pass(.seconds(1))
        unlink(rig.folder.file("FIP.mp3.part"))
        for byte in 2...12 {
            _ = follower.append(UInt8(byte))
            follower.pass(.seconds(1))
        }
        follower.close()
        follower.pass(.seconds(2))
        #expect(rig.reports.compactMap(\.failing).isEmpty && !rig.reports.contains { $0.isResumed })
        let left = try #require(rig.reports.compactMap(\.abandoned).first)
        let kept = try #require(rig.reports.compactMap(\.finished).first)
        #expect(left.facts.frames == 0 && left.lost > 0 && left.lost + kept.frames == 12)
        #expect(rig.folder.names() == ["FIP.json", "FIP.mp3"])
    }

    @Test("A file system that cannot sync folders is recorded on", arguments: [EINVAL, EOPNOTSUPP])
    func noFolderSync(number: CInt) throws {
        rig.system.setErrors(["syncFolder": number])
        var spec = spec
        spec.folders = ["2026", "11"]
        spec.sidecar = [0x7B, 0x7D]
        let follower = Follower(rig, spec)
        _ = follower.append(1)
        follower.close()
        follower.pass()
        #expect(rig.folder.names(in: "2026/11") == ["FIP.json", "FIP.mp3"])
        for report in rig.reports {
            if case .finished(_, _, let problem) = report { #expect(problem == nil) }
            if case .sidecarFailed(_, let error) = report { Issue.record("\(error)") }
        }
    }

    @Test(
        "A file system with short names gets shortened, distinct names",
        arguments: [
            (String(repeating: "ö", count: 95), String(repeating: "ö", count: 60)),
            ("e" + String(repeating: "\u{301}", count: 80), "e" + String(repeating: "\u{301}", count: 59)),
        ])
    func shortNames(long: String, short: String) throws {
        rig.system.setLongestName(143)
        var spec = SegmentFileSpec(name: long, fileExtension: "mp3")
        spec.folders = [String(repeating: "a", count: 180)]
        spec.sidecar = [0x7B, 0x7D]
        for _ in 0..<2 {
            let file = rig.writer.open(spec)
            _ = rig.writer.append(WriterRig.slice(1, 10), to: file, frames: 1, samples: 1_152)
            rig.writer.close(file)
        }
        rig.pass()
        #expect(rig.reports.compactMap(\.finished).count == 2 && rig.reports.compactMap(\.failing).isEmpty)
        #expect(
            Set(rig.folder.names(in: String(repeating: "a", count: 120)))
                == ["\(short).mp3", "\(short).json", "\(short) (2).mp3", "\(short) (2).json"])
    }

    @Test("A dangling link's name counts as taken, and a folder that is a dangling link is reported as missing")
    func danglingLinks() throws {
        symlink("nowhere", rig.folder.file("FIP.mp3"))
        let follower = Follower(rig, spec)
        _ = follower.append(1)
        follower.close()
        follower.pass()
        #expect(rig.reports.compactMap(\.finished).map(\.path) == [rig.folder.file("FIP (2).mp3")])

        let other = try WriterRig(folder: rig.folder, subfolder: "/link")
        symlink("nowhere", rig.folder.file("link"))
        _ = other.writer.append([1], to: other.writer.open(spec), frames: 1, frameBytes: 1, samples: 1)
        other.pass()
        let error = try #require(other.reports.compactMap(\.failing).first)
        #expect(error.code == .missing && error.message.hasSuffix("/link: it or its folder does not exist"))
    }

    @Test("A hanging disk blocks no append, and the full queue then refuses data")
    func hangingDisk() throws {
        let folder = try TemporaryFolder()
        let system = FaultySystem()
        let gate = Monitor((isHanging: false, isOpen: false))
        system.setFault { call, _ in
            guard call == "writev" else { return nil }
            gate.withLock { $0.isHanging = true }
            gate.signal()
            return gate.wait(until: .read() + .seconds(60)) { $0.isOpen ? EIO : nil }
        }
        var limits = WriterLimits()
        limits.clientBytes = 1_000_000
        limits.gather = .milliseconds(1)
        let thread = try WriterThread(limits: limits, system: system)
        let ended = Monitor(false)
        let writer = SegmentWriter(queue: thread.queue, root: folder.path) { report in
            guard case .detached = report else { return }
            ended.withLock { $0 = true }
            ended.signal()
        }
        let file = writer.open(spec)
        _ = writer.append(WriterRig.slice(1, 1_000), to: file, frames: 1, samples: 1_152)
        _ = gate.wait(until: .read() + .seconds(30)) { $0.isHanging ? true : nil }
        let results = (0..<20).map {
            writer.append(WriterRig.slice(UInt8($0), 100_000), to: file, frames: 1, samples: 1)
        }
        #expect(results.first == .queued && results.last == .refused)
        #expect(thread.queue.figures.waitingBytes <= 1_000_000)
        writer.detach()
        gate.withLock { $0.isOpen = true }
        gate.signal()
        #expect(ended.wait(until: .read() + .seconds(30)) { $0 ? true : nil } == true)
        thread.shutDown()
    }

    /// Every call fails once, in turn, with each of the errors that disks give.
    @Test(
        "Whatever call fails, no unit is lost or torn, and a final name means complete audio",
        arguments: [
            ENOSPC, EIO, EROFS, EDQUOT, ESTALE,
        ])
    func sweep(number: CInt) throws {
        var calls = Int.max
        var failing = 1
        while failing <= calls {
            calls = try sweep(number, failing)
            failing += 1
        }
        #expect(calls > 20)
    }

    /// Runs a writer whose call number `failing` fails with the error `number`. Returns how many calls were made in
    /// all.
    private func sweep(_ number: CInt, _ failing: Int) throws -> Int {
        let rig = try WriterRig()
        var spec = spec
        spec.folders = ["sub"]
        spec.sidecar = [0x7B, 0x7D]
        rig.system.setFault { _, call in call == failing ? number : nil }
        let follower = Follower(rig, spec)
        for byte in 1...8 {
            _ = follower.append(UInt8(byte))
            follower.pass(.seconds(1))
        }
        follower.close()
        follower.pass(.seconds(5))
        let calls = rig.system.log.count
        check(rig, "call \(failing): \(rig.system.log[min(failing, calls) - 1])")
        return calls
    }

    private func check(_ rig: WriterRig, _ what: String) {
        let names = rig.folder.names(in: "sub")
        let files = names.filter { $0.hasSuffix(".mp3") || $0.hasSuffix(".part") }
        // The files in the order in which they were made: FIP, FIP (2).
        let ordered = files.sorted { !$0.contains("(2)") && $1.contains("(2)") }
        let contents = ordered.map { rig.folder.content(of: "sub/" + $0) ?? [] }
        let audio = contents.flatMap { $0.dropFirst(3) }
        #expect(audio == WriterRig.bytes(1...8, each: 10), "\(what): \(names)")
        let unpatched = rig.reports.compactMap { report -> String? in
            guard case .finished(_, let facts, let problem?) = report, problem.action == .patch else { return nil }
            return facts.path
        }
        for (name, content) in zip(ordered, contents) where name.hasSuffix(".mp3") {
            let isPatched = !unpatched.contains { $0.hasSuffix("/" + name) }
            #expect(content.prefix(3) == (isPatched ? [9, 9, 9] : [1, 2, 3]), "\(what): \(name)")
        }
        #expect(!names.contains { $0.hasSuffix(".tmp") }, "\(what): \(names)")
        let reported = rig.reports.compactMap { $0.finished ?? $0.abandoned?.facts }.reduce(0) { $0 + $1.frames }
        #expect(reported == 8, "\(what)")
        #expect(rig.queue.figures.waitingBytes == 0, "\(what)")
    }
}
