// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import Recorder
import Storage
import TestSupport
import Testing

/// The process dies with each of the system calls of a recording in turn, from the first one to the last.
@Suite("Kills at every system call")
struct KillPointTests {
    /// How files are written, and what the file system lacks.
    struct Setting: Sendable, CustomTestStringConvertible {
        var isPure = false
        var writesSidecars = true
        var format = RecorderRig.format
        /// Whether files go into a folder below the recordings folder, which nothing else is in.
        var hasFolder = false
        var errors: [String: CInt] = [:]

        var fileExtension: String { "." + format.fileType.fileExtension }
        var prefix: String { hasFolder ? "FIP/" : "" }
        /// A file of somebody else's with the name that the second of ours is to have.
        var strangeFile: String { "\(prefix)FIP 2026-11-21 08-25-02+0000\(fileExtension)" }

        var testDescription: String {
            "\(format.codec)\(isPure ? ", pure" : "")\(writesSidecars ? "" : ", without sidecars")"
                + (hasFolder ? ", in a folder" : "")
                + errors.keys.sorted().map { ", no \($0)" }.joined()
        }
    }

    private static let noAttributes = ["mark": EOPNOTSUPP, "unmark": EOPNOTSUPP, "isMarked": EOPNOTSUPP]
    private static let noRename = ["rename": EINVAL]

    private static let few = [
        Setting(), Setting(writesSidecars: false), Setting(isPure: true, writesSidecars: false, hasFolder: true),
    ]
    private static let many =
        few + [
            Setting(isPure: true), Setting(format: opus, hasFolder: true),
            Setting(writesSidecars: false, format: opus), Setting(format: RecorderRig.flac),
            Setting(isPure: true, writesSidecars: false, format: RecorderRig.flac),
        ]
    /// Every way to write files where the file system can do everything (ext4) and where it has no attributes (FAT);
    /// some where no rename spares what is there (NFS 4.2), and where there is neither (NFS 3).
    static let settings =
        many + lacking(noAttributes, many) + lacking(noRename, few)
        + lacking(noAttributes.merging(noRename) { $1 }, few)

    private static func lacking(_ errors: [String: CInt], _ settings: [Setting]) -> [Setting] {
        settings.map { setting in
            var setting = setting
            setting.errors = errors
            return setting
        }
    }

    /// Files of others that look a little like ours, and must stay as they are.
    private static let others: [String: [UInt8]] = [
        "song.mp3.part": (0..<20).flatMap(RecorderRig.frame),
        "copy.mp3.part": ID3v2Tag(frames: [.text(id: "TSSE", "Aircheck"), .text(id: "TLEN", "9")]).encoded(size: 2_048)
            + (0..<20).flatMap(RecorderRig.frame),
        "notes.json": Array("{\"state\": \"growing\"}".utf8), ".song.json.tmp": [1], "empty.mp3.part": [],
        "FIP 2026-11-21 08-25-02+0000 (2).json": [2],
    ]

    @Test("leave nothing that the next start does not complete, and nothing of others is touched", arguments: settings)
    func everyCall(_ setting: Setting) throws {
        var (number, held) = (1, 0)
        while let found = try run(setting, killedAt: number) {
            held = max(held, found)
            number += 1
        }
        #expect(number > 40 && held > 50)
    }

    @Test("neither does a start that is killed while it completes what is there", arguments: settings)
    func everyCallOfRecovery(_ setting: Setting) throws {
        var number = 1
        while true {
            let folder = try TemporaryFolder()
            for (name, content) in Self.others { try folder.write(name, content) }
            let fed = try record(setting, in: folder, killedAt: Int.max, stops: false)
            let held = held(in: folder, setting)
            #expect(held > 50)
            var killed: RecorderRig? = try rig(setting, in: folder)
            killed?.system.kill(at: number)
            killed?.pass(.seconds(1))
            let isDead = killed?.system.isDead == true
            killed = nil
            recover(setting, in: folder)
            check(folder, fed.frames, held, setting, "\(setting.testDescription), recovery's call \(number)")
            guard isDead else { break }
            number += 1
        }
        #expect(number > 10)
    }

    private func rig(_ setting: Setting, in folder: TemporaryFolder) throws -> RecorderRig {
        let name = try NameTemplate(parsing: "\(setting.prefix)\(NameTemplate.standard.text)")
        let rig = try RecorderRig(folder: folder) {
            $0.policy = .period(.seconds(2))
            $0.name = name
            $0.isPure = setting.isPure
            $0.writesSidecars = setting.writesSidecars
        }
        rig.system.setErrors(setting.errors)
        return rig
    }

    private func recover(_ setting: Setting, in folder: TemporaryFolder) {
        let rig = try? rig(setting, in: folder)
        rig?.pass(.seconds(1))
        _ = rig?.stop()
    }

    /// Two files, the second of which finds its name taken when it is complete. How many frames the process left; nil
    /// where it came to its end.
    private func run(_ setting: Setting, killedAt number: Int) throws -> Int? {
        let folder = try TemporaryFolder()
        for (name, content) in Self.others { try folder.write(name, content) }
        let fed = try record(setting, in: folder, killedAt: number)
        let held = held(in: folder, setting)
        recover(setting, in: folder)
        check(folder, fed.frames, held, setting, "\(setting.testDescription), call \(number): \(fed.call)")
        return fed.isKilled ? held : nil
    }

    private func record(
        _ setting: Setting, in folder: TemporaryFolder, killedAt number: Int, stops: Bool = true
    ) throws -> (frames: [[UInt8]], call: String, isKilled: Bool) {
        let rig = try rig(setting, in: folder)
        rig.system.kill(at: number)
        rig.begin(setting.format)
        // Cuts are where the clock says so.
        rig.play(.seconds(3))
        _ = try? folder.write(setting.strangeFile, [1])
        rig.settleAirTime()
        if stops, !rig.system.isDead { _ = rig.stop() }
        let log = rig.system.log
        return (rig.fedFrames, number <= log.count ? log[number - 1] : "none", rig.system.isDead)
    }

    /// How many whole frames lie in the files of the recording, whatever the files are called. One file may have two
    /// names, and each of its frames counts once: all frames are different.
    private func held(in folder: TemporaryFolder, _ setting: Setting) -> Int {
        let all = folder.names() + (setting.hasFolder ? folder.names(in: "FIP").map { setting.prefix + $0 } : [])
        let audio = all.filter { name in
            let endings = [setting.fileExtension, setting.fileExtension + ".part", ".tmp"]
            return endings.contains(where: name.hasSuffix) && Self.others[name] == nil && name != setting.strangeFile
        }
        return Set(audio.flatMap { Self.frames(of: folder.content(of: $0) ?? [], setting) }).count
    }

    /// `held` is how many frames there were before the recovery: it throws none of them away.
    private func check(
        _ folder: TemporaryFolder, _ frames: [[UInt8]], _ held: Int, _ setting: Setting, _ what: String
    ) {
        for (name, content) in Self.others { #expect(folder.content(of: name) == content, "\(what): \(name)") }
        let fileExtension = setting.fileExtension
        let strange = setting.strangeFile
        // Where its folder was not made yet it could not be written.
        #expect(setting.hasFolder || folder.content(of: strange) == [1], "\(what)")
        let all = folder.names() + (setting.hasFolder ? folder.names(in: "FIP").map { setting.prefix + $0 } : [])
        let names = all.filter { Self.others[$0] == nil && ![strange, "FIP"].contains($0) }
        #expect(names.allSatisfy { $0.hasSuffix(fileExtension) || $0.hasSuffix(".json") }, "\(what): \(names)")
        let audio = names.filter { $0.hasSuffix(fileExtension) }
        for name in names where name.hasSuffix(".json") {
            let sidecar = folder.content(of: name).flatMap(Sidecar.init(parsing:))
            #expect(sidecar.map { $0.state != .growing } == true, "\(what): \(name)")
            #expect(audio.contains(name.dropLast(5) + fileExtension), "\(what): \(names)")
            #expect(sidecar?.recording == "rec-1" || sidecar?.recording == nil, "\(what): \(name)")
        }
        #expect(names.count == (setting.writesSidecars ? 2 : 1) * audio.count, "\(what): \(names)")
        // What is there are the first frames, each once and whole.
        let found = audio.sorted().flatMap { Self.frames(of: folder.content(of: $0) ?? [], setting) }
        #expect(found == Array(frames.prefix(found.count)), "\(what): \(found.count) of \(frames.count)")
        #expect(found.count >= held, "\(what): \(found.count) of \(held)")
    }

    private static func frames(of bytes: [UInt8], _ setting: Setting) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var framer = setting.format.container.makeFramer()
        bytes.withUnsafeBytes { framer.append($0) }
        framer.finish()
        while let event = framer.next() {
            if case .frame(let frame) = event { framer.withBytes(of: frame) { frames.append(Array($0)) } }
        }
        return frames
    }

    static let opus: StreamFormat = {
        var format = StreamFormat(codec: .opus, sampleRate: 48_000, channels: 2)
        let head = Array("OpusHead".utf8) + [1, 2, 0, 0, 0x80, 0xBB, 0, 0, 0, 0, 0]
        let tags = Array("OpusTags".utf8) + [0, 0, 0, 0, 0, 0, 0, 0]
        format.headerPackets = [head, tags]
        return format
    }()
}
