// SPDX-License-Identifier: MIT

import EventLoopTesting
import FuzzTargets
import Glibc
import Instants
import Platform
import RadioFormats
import Recorder
import Stations
import TestSupport
import TestTools
import Testing

@testable import RadioCore
@testable import Storage

/// Gaps of complete files that get their audio later.
@Suite("Healing of files")
struct HealingTests {
    static let programmes: [ReferenceProgramme.Parameters] = [
        .init(.mp3(128), seconds: 12), .init(.mp3Variable(quality: 4), seconds: 12), .init(.aac(96), seconds: 12),
        .init(.opus(96), sampleRate: 48_000, seconds: 12), .init(.vorbis(128), seconds: 12),
        .init(.flac, seconds: 12), .init(.nativeFLAC, seconds: 12),
    ]

    /// A recording in one file of which some frames are missing.
    private final class Broadcast {
        let rig: RecorderRig
        let parameters: ReferenceProgramme.Parameters
        let format: StreamFormat
        let frames: [(bytes: [UInt8], samples: Int, backReference: Int)]
        private(set) var path: [String] = []

        /// `lost`: which frames are missing, from 0 to 1 of the programme; `part`: which part of it is recorded. `change`
        /// changes the recorder's settings.
        init(
            _ parameters: ReferenceProgramme.Parameters, losing lost: Range<Double>? = nil,
            playing part: Range<Double> = 0..<1, _ change: (inout RecorderSettings) -> Void = { _ in }
        ) async throws {
            let programme = try await ReferenceProgramme.make(parameters)
            var framer = FormatTests.framer(for: parameters.encoding)
            (format, frames) = try #require(Self.parsed(programme.bytes, &framer))
            self.parameters = parameters
            rig = try RecorderRig(change)
            rig.hub.attach(rig.recorder)
            rig.hub.announce(StationInfo(kind: .live, name: "FIP", url: "http://fip.example/live"))
            rig.hub.begin(format)
            let played = places(part)
            rig.pass(length(of: 0..<played.lowerBound))
            rig.hub.setAirTime(AirTime(origin: rig.reactor.wallNow, sampleRate: format.sampleRate, isSettled: true))
            rig.hub.report(.firstJoin)
            play(played.lowerBound..<(lost.map(places)?.lowerBound ?? played.upperBound))
            if let lost = lost.map(places) {
                let at = rig.reactor.wallNow
                rig.pass(length(of: lost))
                rig.settleAirTime()
                rig.hub.report(.gap(Gap(at: at, length: length(of: lost), cause: "the server closed the connection")))
                rig.hub.setTitle("after")
                play(lost.upperBound..<frames.count)
            }
            path = rig.stop().files.map { String($0.split(separator: "/").last ?? "") }
        }

        func places(_ part: Range<Double>) -> Range<Int> {
            Int(part.lowerBound * Double(frames.count))..<Int(part.upperBound * Double(frames.count))
        }

        private static func parsed(
            _ bytes: [UInt8], _ framer: inout any Framer
        ) -> (StreamFormat, [(bytes: [UInt8], samples: Int, backReference: Int)])? {
            var (format, frames) = (StreamFormat?.none, [(bytes: [UInt8], samples: Int, backReference: Int)]())
            bytes.withUnsafeBytes { framer.append($0) }
            framer.finish()
            while let event = framer.next() {
                if case .format(let new) = event { format = new }
                guard case .frame(let frame) = event else { continue }
                frames.append((framer.withBytes(of: frame) { Array($0) }, frame.samples, frame.backReference))
            }
            return format.map { ($0, frames.filter { !$0.bytes.isEmpty }) }
        }

        func length(of places: Range<Int>) -> Duration {
            .samples(frames[places].reduce(0) { $0 + Int64($1.samples) }, at: format.sampleRate)
        }

        private func play(_ places: Range<Int>) {
            for place in places {
                let frame = frames[place]
                frame.bytes.withUnsafeBytes {
                    rig.hub.append($0, samples: frame.samples, backReference: frame.backReference)
                }
                guard place % 16 == 15 || place == places.upperBound - 1 else { continue }
                rig.hub.flush()
                rig.pass(length(of: place / 16 * 16..<place + 1))
            }
        }

        var folder: TemporaryFolder { rig.folder }
        var library: Library { Library(path: rig.folder.path) }
        var segment: LibrarySegment { get throws { try #require(library.segment(at: path)) } }

        /// Frames of the programme, as they are found.
        func found(_ places: Range<Int>, before: Bool = true, after: Bool = true) -> FoundFrames {
            var batch = FrameBatch()
            for frame in frames[places] {
                let facts = FrameFacts(samples: frame.samples, backReference: frame.backReference)
                batch.append(FrameBatch(facts, length: frame.bytes.count))
            }
            let audio = FoundAudio(
                before: 0, continuesBefore: before, isContinuedAfter: after, format: format, batch: batch,
                bytes: frames[places].flatMap(\.bytes), length: length(of: places),
                rest: before && after ? .zero : .seconds(1), source: "a second connection")
            return FoundFrames(FoundPiece(audio))
        }
    }

    @Test(
        "A healed file has the frames that it would have had, and plays without a complaint for its stated length",
        arguments: programmes)
    func everyFormat(_ parameters: ReferenceProgramme.Parameters) async throws {
        let broadcast = try await Broadcast(parameters, losing: 0.4..<0.6)
        let whole = try await Broadcast(parameters, losing: nil)
        let lost = broadcast.places(0.4..<0.6)
        let segment = try broadcast.segment
        let gap = try #require(segment.sidecar?.gaps.first)
        #expect(segment.sidecar?.gaps.count == 1 && gap.position == Int64(lost.lowerBound))
        let now = gap.at.instant + .seconds(60)
        let healed = try RecordingHealer(path: broadcast.folder.path)
            .heal(segment, before: gap.position, with: broadcast.found(lost), now: now)
        let present = try broadcast.segment
        #expect(present == healed)
        let (sidecar, expected) = (try #require(present.sidecar), try #require(try whole.segment.sidecar))
        #expect(sidecar.gaps.isEmpty && sidecar.revision == 1 && sidecar.healing == nil)
        #expect(sidecar.frames == expected.frames && sidecar.bytes == expected.bytes)
        #expect(sidecar.samples == expected.samples && sidecar.checksum == expected.checksum)
        #expect(sidecar.titles.map(\.position) == [Int64(lost.upperBound)])
        let entry = try #require(sidecar.healed.first)
        #expect(sidecar.healed.count == 1 && entry.at == gap.at && entry.position == Int64(lost.lowerBound))
        #expect(entry.frames == Int64(lost.count) && entry.by == "a second connection" && entry.after == 60_000)
        #expect(try broadcast.library.check(present)?.flaws(of: present) == [])
        let name = try #require(present.fileName)
        #expect(broadcast.folder.names() == [name, "\(present.base).json"].sorted())

        let (path, plain) = (broadcast.folder.file(name), try whole.segment.fileName.map(whole.folder.file))
        #expect(try MediaProbe.decodingErrors(path) == "")
        let described = try (MediaProbe.describe(path), MediaProbe.describe(try #require(plain)))
        #expect(described.0.seconds == described.1.seconds && described.0.codec == described.1.codec)
        #expect(described.0.tags == described.1.tags)
        #expect(try MediaProbe.decodedSeconds(path) == MediaProbe.decodedSeconds(try #require(plain)))
        let both = try (broadcast.folder.read(name), whole.folder.read(try #require(try whole.segment.fileName)))
        #expect(broadcast.format.container == .ogg || both.0 == both.1)
    }

    @Test("Audio is put before the first frame and behind the last one, too", arguments: programmes)
    func ends(_ parameters: ReferenceProgramme.Parameters) async throws {
        let whole = try await Broadcast(parameters, losing: nil)
        let all = try #require(try whole.segment.sidecar)
        for part in [0.2..<1, 0..<0.8] {
            let broadcast = try await Broadcast(parameters, playing: part)
            var sidecar = try #require(try broadcast.segment.sidecar)
            let isBegin = part.lowerBound == 0
            let lost = isBegin ? broadcast.places(0.8..<1) : broadcast.places(0..<0.2)
            let begin = try #require(sidecar.at?.instant)
            let length = broadcast.length(of: lost)
            sidecar.gaps = [
                .init(
                    at: CivilTime(isBegin ? try #require(sidecar.endOfAudio) : begin - length, utcOffset: 0),
                    milliseconds: length.wholeMilliseconds, cause: "", tried: [],
                    position: isBegin ? sidecar.frames : 0)
            ]
            let segment = try broadcast.segment
            try broadcast.folder.write("\(segment.base).json", sidecar.encoded)
            let healed = try RecordingHealer(path: broadcast.folder.path).heal(
                segment, before: isBegin ? sidecar.frames : 0, with: broadcast.found(lost), now: begin)
            let new = try #require(healed.sidecar)
            #expect(new.frames == all.frames && new.bytes == all.bytes && new.checksum == all.checksum)
            let expectedBegin = isBegin ? begin : begin - length
            let error = try #require(new.at?.instant) - expectedBegin
            #expect(new.gaps.isEmpty && abs(error.inSeconds) < 0.002)
            #expect(try broadcast.library.check(healed)?.flaws(of: healed) == [])
            let path = broadcast.folder.file(try #require(healed.fileName))
            #expect(try MediaProbe.decodingErrors(path) == "")
            let (seconds, expected) = try (
                MediaProbe.decodedSeconds(path),
                MediaProbe.decodedSeconds(whole.folder.file(try #require(try whole.segment.fileName)))
            )
            #expect(abs(seconds - expected) < 0.001, "\(seconds) \(expected)")
        }
    }

    // MARK: Kills and faults

    /// A file with a gap, as it is before and after it is healed. It can be made anew in a moment.
    private struct Case {
        let broadcast: Broadcast
        let files: [String: [UInt8]]
        let healed: (audio: [UInt8], sidecar: Sidecar)
        let sidecar: Sidecar
        let audioName: String
        private let segment: LibrarySegment

        init(_ encoding: ReferenceProgramme.Encoding) async throws {
            let parameters = ReferenceProgramme.Parameters(encoding, sampleRate: 48_000, seconds: 2)
            broadcast = try await Broadcast(parameters, losing: 0.4..<0.6) { $0.stationID = "fip" }
            segment = try broadcast.segment
            audioName = try #require(segment.fileName)
            sidecar = try #require(segment.sidecar)
            try broadcast.folder.write(
                "\(segment.base).levels", Companion.levels.mark + [UInt8](repeating: 1, count: 8))
            files = try Self.content(of: broadcast.folder)
            let folder = try Self.copy(files)
            _ = try Self.heal(segment, broadcast, at: folder.path, LinuxFileSystem())
            let healed = try #require(Library(path: folder.path).segment(at: [audioName])?.sidecar)
            self.healed = (try folder.read(audioName), healed)
        }

        static func content(of folder: TemporaryFolder) throws -> [String: [UInt8]] {
            Dictionary(uniqueKeysWithValues: try folder.names().map { ($0, try folder.read($0)) })
        }

        /// The file in a folder of its own.
        func copy() throws -> TemporaryFolder { try Self.copy(files) }

        private static func copy(_ files: [String: [UInt8]]) throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            for (name, content) in files { try folder.write(name, content) }
            return folder
        }

        func heal(in folder: TemporaryFolder, _ system: any FileSystemCalls) throws -> LibrarySegment {
            try heal(at: folder.path, system)
        }

        func heal(at path: String, _ system: any FileSystemCalls) throws -> LibrarySegment {
            try Self.heal(segment, broadcast, at: path, system)
        }

        private static func heal(
            _ segment: LibrarySegment, _ broadcast: Broadcast, at path: String, _ system: any FileSystemCalls
        ) throws -> LibrarySegment {
            let lost = broadcast.places(0.4..<0.6)
            return try RecordingHealer(path: path, system: system).heal(
                segment, before: Int64(lost.lowerBound), with: broadcast.found(lost),
                now: try #require(segment.sidecar?.at?.instant) + .seconds(60))
        }

        /// Whether the folder has the healed file; fails if it has neither that nor the old one.
        func isHealed(_ folder: TemporaryFolder, _ what: String, mayKeepLevels: Bool = false) throws -> Bool {
            let library = Library(path: folder.path)
            let segment = try #require(library.segment(at: [audioName]), "\(what): \(folder.names())")
            let audio = try folder.read(audioName)
            let isHealed = audio == healed.audio
            #expect(isHealed || audio == files[audioName], "\(what)")
            #expect(segment.sidecar == (isHealed ? healed.sidecar : sidecar), "\(what)")
            #expect(try library.check(segment)?.flaws(of: segment) == [], "\(what)")
            let others = Set(folder.names()).subtracting([audioName, "\(segment.base).json"])
            // What can be made again may be missing, but must not be that of the old audio.
            #expect(others.isSubset(of: files.keys), "\(what): \(others)")
            #expect(!isHealed || mayKeepLevels || !others.contains("\(segment.base).levels"), "\(what)")
            return isHealed
        }
    }

    private static let encodings: [ReferenceProgramme.Encoding] = [.mp3(128), .opus(96), .nativeFLAC]
    private static let systems: [[String: CInt]] = [[:], ["exchange": EINVAL], ["copy": EOPNOTSUPP]]

    private static func repair(_ folder: TemporaryFolder, _ system: FaultySystem = FaultySystem()) throws {
        try FolderRepair(folder: folder.path, system: system).run { _ in }
    }

    @Test(
        "A kill at any system call leaves the old file or the healed one, and the sidecar agrees",
        arguments: encodings, systems)
    func kills(_ encoding: ReferenceProgramme.Encoding, _ errors: [String: CInt]) async throws {
        let file = try await Case(encoding)
        var (number, healed) = (1, 0)
        while true {
            let (folder, system) = (try file.copy(), FaultySystem())
            system.setErrors(errors)
            system.kill(at: number)
            _ = try? file.heal(in: folder, system)
            guard system.isDead else { break }
            try Self.repair(folder)
            if try file.isHealed(folder, "call \(number): \(system.log.last ?? "")") { healed += 1 }
            number += 1
        }
        #expect(number > 30 && healed > 3 && healed < number - 10)
    }

    @Test("A kill at any system call of the recovery after a kill leaves the old file or the healed one")
    func killsOfRecovery() async throws {
        let file = try await Case(.mp3(128))
        let calls = FaultySystem()
        _ = try file.heal(in: try file.copy(), calls)
        let exchange = try #require(calls.log.firstIndex(of: "exchange")) + 1
        for death in [exchange, exchange + 1] {
            var number = 1
            while true {
                let (folder, killed, system) = (try file.copy(), FaultySystem(), FaultySystem())
                killed.kill(at: death)
                _ = try? file.heal(in: folder, killed)
                system.kill(at: number)
                try? Self.repair(folder, system)
                try Self.repair(folder)
                #expect(try file.isHealed(folder, "recovery's call \(number)") == (death > exchange))
                guard system.isDead else { break }
                number += 1
            }
            #expect(number > 10)
        }
    }

    @Test("A power cut at any system call leaves the old file or the healed one", arguments: encodings)
    func powerCuts(_ encoding: ReferenceProgramme.Encoding) async throws {
        let file = try await Case(encoding)
        let memory = MemorySystem(tracksSyncs: true)
        let root = try memory.openFolder(path: "", followsLink: false)
        for (name, content) in file.files {
            let descriptor = try memory.createFile(in: root, name: name)
            try memory.writeAll(descriptor, content, at: 0)
            try memory.sync(descriptor)
            memory.close(descriptor)
        }
        try memory.syncFolder(root)
        let (system, images) = (FaultySystem(simulating: memory), Monitor<[(String, MemorySystem)]>([]))
        let random = Monitor(SplitMix64(seed: 9))
        system.setFault { name, _ in
            for _ in 0..<4 {
                let image = random.withLock { memory.afterPowerCut(using: &$0) }
                images.withLock { $0.append((name, image)) }
            }
            return nil
        }
        _ = try file.heal(at: "memory", system)
        var healed = 0
        for (call, image) in images.withLock({ $0 }) {
            try FolderRepair(folder: "memory", system: image).run { _ in }
            let folder = try TemporaryFolder()
            for (name, content) in image.files { try folder.write(name, content) }
            if try file.isHealed(folder, "before \(call)") { healed += 1 }
        }
        #expect(healed > 10 && images.withLock { $0.count } > healed + 50)
    }

    @Test("A full disk or another error leaves the old file, and nothing else", arguments: encodings)
    func errors(_ encoding: ReferenceProgramme.Encoding) async throws {
        let file = try await Case(encoding)
        let calls = FaultySystem()
        _ = try file.heal(in: try file.copy(), calls)
        for error in [ENOSPC, EIO] {
            for number in 1...calls.log.count {
                let (folder, system) = (try file.copy(), FaultySystem())
                system.setFault { _, call in call == number ? error : nil }
                _ = try? file.heal(in: folder, system)
                try Self.repair(folder)
                // Levels that cannot be removed are too short, and so are made anew.
                let what = "call \(number): \(calls.log[number - 1]), \(error)"
                _ = try file.isHealed(folder, what, mayKeepLevels: true)
            }
        }
        let (folder, system) = (try file.copy(), FaultySystem())
        system.setErrors(["writev": ENOSPC, "pwrite": ENOSPC, "copy": ENOSPC])
        #expect(throws: RecordingHealer.Problem.self) { try file.heal(in: folder, system) }
        #expect(try Case.content(of: folder) == file.files)
    }

    @Test("A file that somebody edits, replaces, moves or removes meanwhile is left as it is")
    func meanwhile() async throws {
        let file = try await Case(.mp3(128))
        let name = file.audioName
        for (what, act) in Self.acts {
            for call in ["create", "copy", "sync", "replace", "exchange"] {
                let (folder, system, isDone) = (try file.copy(), FaultySystem(), Monitor(false))
                let path = folder.file(name)
                system.setFault { made, _ in
                    if made == call, isDone.withLock({ $0.setTrue() }) { act(path) }
                    return nil
                }
                let problem = #expect(throws: RecordingHealer.Problem.self) { try file.heal(in: folder, system) }
                #expect(problem == .changed, "\(what), \(call)")
                let expected = try file.copy()
                act(expected.file(name))
                #expect(try Case.content(of: folder) == Case.content(of: expected), "\(what), \(call)")
            }
        }
    }

    private static let acts: [(String, @Sendable (String) -> Void)] = [
        (
            "edited",
            { path in
                let file = open(path, O_RDWR)
                pwrite(file, [1], 1, 5_000)
                close(file)
            }
        ),
        (
            "replaced",
            { path in
                let file = open(path + ".new", O_RDWR | O_CREAT, 0o644)
                write(file, [1, 2, 3], 3)
                close(file)
                rename(path + ".new", path)
            }
        ), ("moved", { rename($0, $0 + ".old") }), ("removed", { unlink($0) }),
    ]

    @Test("Only complete audio of ours, which no process writes, is healed, and only where it lacks something")
    func refusals() async throws {
        let file = try await Case(.mp3(128))
        let segment = try file.broadcast.segment
        let lost = file.broadcast.places(0.4..<0.6)
        func problem(_ folder: TemporaryFolder, before frame: Int = lost.lowerBound) -> RecordingHealer.Problem? {
            do throws(RecordingHealer.Problem) {
                _ = try RecordingHealer(path: folder.path).heal(
                    segment, before: Int64(frame), with: file.broadcast.found(lost), now: WallInstant(nanoseconds: 0))
                return nil
            } catch {
                return error
            }
        }
        #expect(problem(try file.copy(), before: 3) == .noGap)
        // A frame was changed, or is gone, since the file was recorded.
        for change in [{ (bytes: [UInt8]) in bytes.dropLast(400) }, { $0.dropLast(9) + [1] + $0.suffix(8) }] {
            let folder = try file.copy()
            try folder.write(file.audioName, Array(change(try folder.read(file.audioName))))
            let content = try Case.content(of: folder)
            #expect(problem(folder) == .changed)
            #expect(try Case.content(of: folder) == content)
        }
        let folder = try file.copy()
        let other = open(folder.file(file.audioName), O_RDWR)
        flock(other, LOCK_EX)
        #expect(problem(folder) == .inUse)
        flock(other, LOCK_UN)
        close(other)
        // A healed file is another one than the caller knows.
        #expect(problem(folder) == nil)
        #expect(problem(folder) == .changed)
        let vorbis = try await Case(.vorbis(128))
        let opus = try await Case(.opus(96))
        let frames = opus.broadcast.found(lost)
        #expect(throws: RecordingHealer.Problem.otherFormat) {
            try RecordingHealer(path: vorbis.broadcast.folder.path).heal(
                try vorbis.broadcast.segment, before: try #require(vorbis.sidecar.gaps.first?.position), with: frames,
                now: WallInstant(nanoseconds: 0))
        }
        #expect(try Case.content(of: vorbis.broadcast.folder) == vorbis.files)
    }

    @Test("Tags that somebody has edited stay as they are")
    func editedTags() async throws {
        let file = try await Case(.mp3(128))
        let folder = try file.copy()
        let tag = ID3v2Tag(frames: [.text(id: "TIT2", "mine"), .text(id: "TLEN", "7")]).encoded(size: 3_000)
        try folder.write(file.audioName, tag + (try folder.read(file.audioName)).dropFirst(2_048))
        _ = try file.heal(in: folder, LinuxFileSystem())
        #expect(try folder.read(file.audioName).dropFirst(3_000) == file.healed.audio.dropFirst(2_048))
        #expect(try MediaProbe.describe(folder.file(file.audioName)).tags["title"] == "mine")
    }

    @Test("Audio that fits on one side only leaves the gap on the other side", arguments: [true, false])
    func oneSide(_ isBefore: Bool) async throws {
        let broadcast = try await Broadcast(.init(.mp3(128), seconds: 4), losing: 0.4..<0.6)
        let segment = try broadcast.segment
        let gap = try #require(segment.sidecar?.gaps.first)
        let lost = broadcast.places(0.4..<0.6)
        let part = isBefore ? lost.prefix(10) : lost.suffix(10)
        let healed = try RecordingHealer(path: broadcast.folder.path).heal(
            segment, before: gap.position, with: broadcast.found(part, before: isBefore, after: !isBefore),
            now: gap.at.instant)
        let left = try #require(healed.sidecar?.gaps.first)
        let length = broadcast.length(of: part)
        #expect(healed.sidecar?.gaps.count == 1 && left.milliseconds == 1_000)
        #expect(left.position == gap.position + (isBefore ? 10 : 0))
        #expect(
            left.at.instant == (isBefore ? gap.at.instant + .milliseconds(length.wholeMilliseconds) : gap.at.instant))
        #expect(try broadcast.library.check(healed)?.flaws(of: healed) == [])
    }
}

extension Bool {
    /// Returns whether it was false.
    fileprivate mutating func setTrue() -> Bool {
        defer { self = true }
        return !self
    }
}
