// SPDX-License-Identifier: MIT

import Foundation
import RadioFormats
import TestSupport
import TestTools
import Testing

/// Recordings folders that disappear while a daemon records. Nothing is lost, because the audio waits.
struct ServeFolderTests {
    private let origin: ScriptedOrigin

    init() throws { origin = try Self.origin() }

    private static let programme = Broadcast([.music(.seconds(150))], MPEGShape(128))

    /// A daemon that records a station, with a new file every two seconds; the names of the files sort by their time.
    /// `more`: further stations.
    private static func serving(_ origin: ScriptedOrigin, _ more: String = "") throws -> Serving {
        try Serving(
            """
            [[station]]
            id = "fip"
            url = "\(origin.url("/fip"))"
            record = "always"
            segment = "2s"
            template = "%s"
            pure = true

            """ + more)
    }

    private static func origin() throws -> ScriptedOrigin {
        try ScriptedOrigin(LiveScript(.stream(LiveStream(programme))))
    }

    /// Waits until `count` more files are complete.
    private static func finishes(_ count: Int, _ serving: Serving) async throws -> Bool {
        let before = serving.log.ranges(of: "finished").count
        return try await waitUntil(.seconds(30)) { serving.log.ranges(of: "finished").count >= before + count }
    }

    /// Waits until the programme has advanced by `time`.
    private static func passes(_ time: Duration, _ origin: ScriptedOrigin) async throws -> Bool {
        let began = origin.programmeTime()
        return try await waitUntil(.seconds(30)) { origin.programmeTime() - began > time }
    }

    /// Expects that the catalog has those of these files that are complete, including those completed while the catalog
    /// could not read them.
    private static func expectCataloged(_ names: [String], by serving: Serving) async throws {
        let there = Set(names.filter { $0.hasSuffix(".mp3") })
        var (listed, complete): ([JSONValue], Set<String>) = ([], [])
        // The catalog's thread notes the files one after the other, so query it several times.
        for _ in 0..<200 where !there.isSubset(of: complete) {
            listed = try #require(try await serving.object(["recordings"])["recordings"]?.arrayValue)
            let id = try #require(listed.first?["id"]?.stringValue)
            let files = try await serving.object(["recordings", "show", id])["files"]?.arrayValue ?? []
            complete = Set(files.filter { $0["state"] == "complete" }.compactMap { $0["path"]?.stringValue })
        }
        #expect(listed.count == 1 && there.count >= 5, "\(listed)")
        #expect(there.isSubset(of: complete), "\(there), but cataloged \(complete)")
    }

    /// Takes the disk away for a while. Expects no writes at its mount point meanwhile, and more files afterwards.
    private static func missDisk(
        _ disk: RemovableDisk, at name: String, _ serving: Serving, _ origin: ScriptedOrigin
    ) async throws {
        try await disk.takeAway()
        #expect(
            try await waitUntil(.seconds(30)) { serving.log.contains("its disk is no longer mounted") },
            "\(serving.log)")
        #expect(try await passes(.seconds(4), origin))
        #expect(serving.folder.names(in: name).isEmpty)
        try await disk.bringBack()
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("the disk accepts data again") })
        #expect(try await finishes(2, serving))
    }

    @Test("D6: Nothing is written below an unmounted disk, and all audio is on it once it is mounted again")
    func unmounted() async throws {
        let serving = try Self.serving(origin)
        let disk = try await RemovableDisk(in: serving.folder, at: "recordings")
        try await serving.start(by: disk.entry)
        #expect(try await Self.finishes(2, serving))

        try await Self.missDisk(disk, at: "recordings", serving, origin)
        try await Self.expectCataloged(try disk.names(), by: serving)
        #expect(try await serving.stop().ending == .exited(0))

        #expect(serving.folder.names(in: "recordings").isEmpty)
        let places = serving.log.matches(of: /finished (.*)\/\d+\.mp3/).map { String($0.output.1) }
        #expect(Set(places) == [serving.folder.file("recordings")], "\(places)")
        let names = try disk.names()
        let audio = names.filter { $0.hasSuffix(".mp3") }
        let bundles = audio.flatMap { name in ["index", "json", "mp3"].map { "\(name.dropLast(3))\($0)" } }
        #expect(audio.count >= 5 && names == bundles, "\(names)")
        let frames = FrameChecker(Self.programme).check(try audio.map { try disk.read($0) })
        #expect(frames.isExact, "\(frames)\n\(serving.log)")
    }

    @Test("D6: A recordings folder below a mount point is not made again while its disk is unmounted")
    func belowMountPoint() async throws {
        let serving = try Self.serving(origin, "[storage]\nrecordings = \"disk2/radio\"\n")
        let disk = try await RemovableDisk(in: serving.folder, at: "disk2")
        try await serving.start(by: disk.entry)
        #expect(try await Self.finishes(2, serving))

        try await Self.missDisk(disk, at: "disk2", serving, origin)
        #expect(try await serving.stop().ending == .exited(0))

        #expect(serving.folder.names(in: "disk2").isEmpty)
        let names = try disk.names(in: "radio").filter { $0.hasSuffix(".mp3") }
        let frames = FrameChecker(Self.programme).check(try names.map { try disk.read("radio/\($0)") })
        #expect(names.count >= 5 && frames.isExact, "\(frames)\n\(serving.log)")
    }

    @Test("D6: A disk that is mounted later is used from the next file on, and waited for when unmounted")
    func mountedLater() async throws {
        let other = Serving.station("nova", origin.url("/fip"), #"template = "nova""#)
        let serving = try Self.serving(origin, other)
        let disk = try await RemovableDisk(in: serving.folder, at: "recordings")
        try await disk.takeAway()
        try await serving.start(by: disk.entry)
        #expect(try await Self.finishes(2, serving))
        #expect(!serving.folder.names(in: "recordings").isEmpty)

        try await disk.bringBack()
        #expect(try await waitUntil(.seconds(30)) { try disk.names().contains { $0.hasSuffix(".mp3") } })
        let below = serving.folder.names(in: "recordings")
        try await disk.takeAway()
        #expect(
            try await waitUntil(.seconds(30)) { serving.log.contains("its disk is no longer mounted") },
            "\(serving.log)")
        // A recording that begins while the disk is unmounted waits as well.
        #expect(try await serving.ask(["record", "nova", "--for", "1h"]).succeeded)
        #expect(try await Self.passes(.seconds(4), origin))
        #expect(serving.folder.names(in: "recordings") == below)
        try await disk.bringBack()
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("the disk accepts data again") })
        #expect(try await Self.finishes(2, serving))
        #expect(try await serving.stop().ending == .exited(0))

        #expect(serving.folder.names(in: "recordings") == below)
        let names = try disk.names().filter { $0.hasSuffix(".mp3") }
        #expect(names.contains("nova.mp3"))
        let before = try below.filter { $0.hasSuffix(".mp3") }.map { try serving.folder.read("recordings/\($0)") }
        let after = try names.filter { $0 != "nova.mp3" }.map { try disk.read($0) }
        let frames = FrameChecker(Self.programme).check(before + after)
        #expect(frames.isExact, "\(frames)\n\(serving.log)")
    }

    @Test("D6: A link in place of the folder is not followed, and recording continues once the folder is back")
    func link() async throws {
        let serving = try Self.serving(origin)
        try await serving.start()
        #expect(try await Self.finishes(2, serving))

        let folder = serving.folder
        try folder.make("elsewhere")
        let (recordings, moved) = (folder.file("recordings"), folder.file("moved"))
        try FileManager.default.moveItem(atPath: recordings, toPath: moved)
        try FileManager.default.createSymbolicLink(
            atPath: recordings, withDestinationPath: folder.file("elsewhere"))
        #expect(
            try await waitUntil(.seconds(30)) { serving.log.contains("a link has taken its place") }, "\(serving.log)")
        #expect(try await Self.passes(.seconds(4), origin))
        #expect(folder.names(in: "elsewhere").isEmpty)
        try FileManager.default.removeItem(atPath: recordings)
        try FileManager.default.moveItem(atPath: moved, toPath: recordings)
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("the disk accepts data again") })
        #expect(try await Self.finishes(2, serving))
        try await Self.expectCataloged(folder.names(in: "recordings"), by: serving)
        #expect(try await serving.stop().ending == .exited(0))

        #expect(folder.names(in: "elsewhere").isEmpty)
        let names = folder.names(in: "recordings")
        let audio = names.filter { $0.hasSuffix(".mp3") }
        let bundles = audio.flatMap { name in ["index", "json", "mp3"].map { "\(name.dropLast(3))\($0)" } }
        #expect(audio.count >= 5 && names == bundles, "\(names)")
        let frames = FrameChecker(Self.programme).check(try audio.map { try folder.read("recordings/\($0)") })
        #expect(frames.isExact, "\(frames)\n\(serving.log)")
    }
}
