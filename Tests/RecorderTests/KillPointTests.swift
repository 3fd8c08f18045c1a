// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Recorder
import Stations
import Storage
import TestSupport
import TestTools
import Testing

/// The process dies at each of a recording's system calls in turn, from the first one to the last.
@Suite("Kills at every system call")
struct KillPointTests {
    /// Files of others that resemble ours, and must stay as they are.
    private static let others: [String: [UInt8]] = [
        "song.mp3.part": (0..<20).flatMap(RecorderRig.frame),
        "copy.mp3.part": ID3v2Tag(frames: [.text(id: "TSSE", "Aircheck"), .text(id: "TLEN", "9")]).encoded(size: 2_048)
            + (0..<20).flatMap(RecorderRig.frame),
        "notes.json": Array("{\"state\": \"growing\"}".utf8), ".song.json.tmp": [1], "empty.mp3.part": [],
        "FIP 2026-11-21 08-25-02+0000 (2).json": [2],
    ]

    @Test(
        "A kill at any system call leaves only what the next start completes, and foreign files stay untouched",
        arguments: FileSetting.all)
    func everyCall(_ setting: FileSetting) throws {
        var (number, held) = (1, 0)
        while let found = try run(setting, killedAt: number) {
            held = max(held, found)
            number += 1
        }
        #expect(number > 40 && held > 50)
    }

    @Test(
        "A kill at any system call of a recovery leaves only what the next start completes", arguments: FileSetting.all)
    func everyCallOfRecovery(_ setting: FileSetting) throws {
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

    private func rig(_ setting: FileSetting, in folder: TemporaryFolder) throws -> RecorderRig {
        let name = try NameTemplate(parsing: "\(setting.prefix)\(NameTemplate.standard.text)")
        let rig = try RecorderRig(folder: folder) {
            $0.policy = setting.isBySong ? .title : .period(.seconds(2))
            $0.name = setting.isBySong ? nil : name
            $0.isPure = setting.isPure
            $0.writesSidecars = setting.writesSidecars
            $0.stationID = setting.hasCompanions ? "fip" : nil
        }
        if setting.hasCompanions { rig.recorder.companions = [GrowingLevels(rig.recorder)] }
        rig.system.setErrors(setting.errors)
        return rig
    }

    private func recover(_ setting: FileSetting, in folder: TemporaryFolder) {
        let rig = try? rig(setting, in: folder)
        rig?.pass(.seconds(1))
        _ = rig?.stop()
    }

    /// Records two files. When the second one is complete, its name is already taken. Returns how many frames the
    /// killed process left in files; nil if it was not killed.
    private func run(_ setting: FileSetting, killedAt number: Int) throws -> Int? {
        let folder = try TemporaryFolder()
        for (name, content) in Self.others { try folder.write(name, content) }
        let fed = try record(setting, in: folder, killedAt: number)
        let held = held(in: folder, setting)
        recover(setting, in: folder)
        check(folder, fed.frames, held, setting, "\(setting.testDescription), call \(number): \(fed.call)")
        return fed.isKilled ? held : nil
    }

    private func record(
        _ setting: FileSetting, in folder: TemporaryFolder, killedAt number: Int, stops: Bool = true
    ) throws -> (frames: [[UInt8]], call: String, isKilled: Bool) {
        let rig = try rig(setting, in: folder)
        rig.system.kill(at: number)
        rig.begin(setting.format)
        if setting.isBySong {
            for title in ["1", "2"] {
                rig.hub.setTitle(title)
                rig.play(.seconds(1))
            }
        } else {
            // Files are cut by the clock.
            rig.play(.seconds(3))
        }
        _ = try? folder.write(setting.strangeFile, [1])
        rig.settleAirTime()
        if setting.isBySong {
            rig.hub.setTitle("3")
            rig.play(.seconds(1))
        }
        if stops, !rig.system.isDead { _ = rig.stop() }
        let log = rig.system.log
        return (rig.fedFrames, number <= log.count ? log[number - 1] : "none", rig.system.isDead)
    }

    /// How many whole frames are in the recording's files, whatever the files are called. One file may have two names,
    /// but each of its frames counts once, because all frames are different.
    private func held(in folder: TemporaryFolder, _ setting: FileSetting) -> Int {
        let all = folder.names() + (setting.hasFolder ? folder.names(in: "FIP").map { setting.prefix + $0 } : [])
        let audio = all.filter { name in
            let endings = [setting.fileExtension, setting.fileExtension + ".part", ".tmp"]
            return endings.contains(where: name.hasSuffix) && Self.others[name] == nil && name != setting.strangeFile
        }
        return FrameList.distinctCount(of: audio.flatMap { setting.frames(of: folder.content(of: $0) ?? []) })
    }

    /// Checks the files after a recovery, which must keep the `held` frames that were there before it.
    private func check(
        _ folder: TemporaryFolder, _ frames: [[UInt8]], _ held: Int, _ setting: FileSetting, _ what: String
    ) {
        for (name, content) in Self.others { #expect(folder.content(of: name) == content, "\(what): \(name)") }
        let fileExtension = setting.fileExtension
        let strange = setting.strangeFile
        // This file could not be written if its folder did not exist yet.
        #expect(setting.hasFolder || folder.content(of: strange) == [1], "\(what)")
        let all = folder.names() + (setting.hasFolder ? folder.names(in: "FIP").map { setting.prefix + $0 } : [])
        var names = all.filter { Self.others[$0] == nil && ![strange, "FIP"].contains($0) }
        // What a killed process had not heard is measured later.
        let levels = names.filter { $0.hasSuffix(".levels") }
        for name in levels {
            #expect(setting.hasCompanions && names.contains(name.dropLast(7) + fileExtension), "\(what): \(names)")
            let isRead = folder.content(of: name).map { $0.isEmpty || Levels(bytes: $0) != nil }
            #expect(isRead == true, "\(what): \(name)")
        }
        names.removeAll(where: levels.contains)
        let companions = setting.hasCompanions ? [".json", ".index"] : [".json"]
        #expect(names.allSatisfy { ([fileExtension] + companions).contains(where: $0.hasSuffix) }, "\(what): \(names)")
        let audio = names.filter { $0.hasSuffix(fileExtension) }
        for name in names where name.hasSuffix(".json") {
            let sidecar = folder.content(of: name).flatMap(Sidecar.init(parsing:))
            #expect(sidecar.map { $0.state != .growing } == true, "\(what): \(name)")
            #expect(audio.contains(name.dropLast(5) + fileExtension), "\(what): \(names)")
            #expect(sidecar?.recording == "rec-1" || sidecar?.recording == nil, "\(what): \(name)")
        }
        let count = 1 + (setting.writesSidecars ? companions.count : 0)
        #expect(names.count == count * audio.count, "\(what): \(names)")
        if setting.isBySong {
            for name in audio where !name.contains("(incomplete)") {
                let frames = setting.frames(of: folder.content(of: name) ?? [])
                #expect(name.hasPrefix("FIP/2 ") && (40...52).contains(frames.count), "\(what): \(name)")
            }
        }
        // The files have the first frames, each of them once and whole.
        let found = audio.sorted().flatMap { setting.frames(of: folder.content(of: $0) ?? []) }
        let isWhole = FrameList.areEqual(found, Array(frames.prefix(found.count)))
        #expect(isWhole, "\(what): \(found.count) of \(frames.count)")
        #expect(found.count >= held, "\(what): \(found.count) of \(held)")
        // What a file system lacks does not change the bytes of the audio.
        guard setting.writesSidecars, setting.errors.isEmpty else { return }
        for name in audio {
            let library = Library(path: folder.path)
            let segment = library.segment(at: name.split(separator: "/").map(String.init))
            #expect(segment?.sidecar?.checksum != nil, "\(what): \(name)")
            let flaws = segment.flatMap { segment in try? library.check(segment)?.flaws(of: segment) }
            #expect(flaws == [], "\(what): \(name)")
        }
    }
}
