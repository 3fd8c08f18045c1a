// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Storage

/// Which files of a recording are deleted, and which never are.
struct RecordingDeleterTests {
    private let folder: TemporaryFolder
    private let deleter: RecordingDeleter

    init() throws {
        folder = try TemporaryFolder()
        mkdir(folder.file("recordings"), 0o755)
        mkdir(folder.file("outside"), 0o755)
        try folder.write("outside/treasure.mp3", "treasure")
        try folder.write("outside/treasure.json", Self.sidecar("r").encoded)
        deleter = RecordingDeleter(path: folder.file("recordings"))
    }

    private static func sidecar(_ id: String?, _ change: (inout Sidecar) -> Void = { _ in }) -> Sidecar {
        var sidecar = Sidecar(.complete, frames: 1, bytes: 5)
        sidecar.recording = id
        change(&sidecar)
        return sidecar
    }

    private func put(_ name: String, _ id: String? = "r", _ change: (inout Sidecar) -> Void = { _ in }) throws {
        let parts = name.split(separator: "/")
        if parts.count > 1 { mkdir(folder.file("recordings/\(parts[0])"), 0o755) }
        try folder.write("recordings/\(name).mp3", "audio")
        try folder.write("recordings/\(name).json", Self.sidecar(id, change).encoded)
    }

    private func exists(_ name: String) -> Bool { access(folder.file(name), F_OK) == 0 }

    @Test("Audio and sidecars of the recording are deleted, and nothing else") func deleting() throws {
        try put("a/one")
        try put("two")
        try put("other", "s")
        try deleter.delete("r", ["a/one", "two"])
        #expect(!exists("recordings/a/one.mp3") && !exists("recordings/two.json") && exists("recordings/other.mp3"))
    }

    @Test("A protected recording stays until it is no longer protected") func protected() throws {
        try put("one")
        try put("two")
        let paths = ["one", "two"]
        try deleter.protect("r", paths, true)
        #expect(throws: RecordingDeleter.Refusal.protected) { try deleter.delete("r", paths) }
        #expect(Sidecar(parsing: try folder.read("recordings/one.json")) == Self.sidecar("r") { $0.isProtected = true })
        try deleter.protect("r", paths, false)
        try deleter.delete("r", paths)
        #expect(!exists("recordings/one.mp3") && !exists("recordings/two.mp3"))
    }

    @Test("The finished files of a growing recording are protected") func growingRecording() throws {
        try put("one")
        try put("two") { $0.state = .growing }
        let paths = ["one", "two"]
        try deleter.protect("r", paths, true)
        #expect(Sidecar(parsing: try folder.read("recordings/one.json"))?.isProtected == true)
        #expect(Sidecar(parsing: try folder.read("recordings/two.json"))?.isProtected == false)
        #expect(throws: RecordingDeleter.Refusal.growing("two")) { try deleter.protect("r", [paths[1]], true) }
    }

    @Test("If one file is in doubt, no file is deleted") func oneInDoubt() throws {
        try put("one")
        var doubts: [(String, String)] = []
        func doubt(_ name: String, _ path: String) { doubts.append((name, path)) }
        try put("other", "s")
        doubt("of another recording", "other")
        try put("none", nil)
        doubt("of none", "none")
        try put("growing") { $0.state = .growing }
        doubt("growing", "growing")
        try put("part")
        try folder.write("recordings/part.mp3.part", "more")
        doubt("with a part", "part")
        try put("damaged")
        try folder.write("recordings/damaged.json", "{\"aircheck\": 1, ")
        doubt("damaged", "damaged")
        doubt("missing", "missing")
        for name in ["..", ".", "", "a/b", "../outside/treasure", "/etc/passwd", "x\u{0}y", ".hidden"] {
            doubt(name, name)
            doubt(name, "\(name)/one")
        }
        doubt("out", "../outside/treasure")
        symlink(folder.file("outside"), folder.file("recordings/link"))
        doubt("through a link", "link/treasure")
        try put("linked")
        unlink(folder.file("recordings/linked.mp3"))
        symlink(folder.file("outside/treasure.mp3"), folder.file("recordings/linked.mp3"))
        doubt("audio is a link", "linked")
        try put("described")
        unlink(folder.file("recordings/described.json"))
        symlink(folder.file("outside/treasure.json"), folder.file("recordings/described.json"))
        doubt("sidecar is a link", "described")
        try put("pipe")
        unlink(folder.file("recordings/pipe.json"))
        mkfifo(folder.file("recordings/pipe.json"), 0o644)
        doubt("sidecar is a pipe", "pipe")
        try put("folder")
        unlink(folder.file("recordings/folder.mp3"))
        mkdir(folder.file("recordings/folder.mp3"), 0o755)
        doubt("audio is a folder", "folder")
        for (name, path) in doubts {
            #expect(throws: RecordingDeleter.Refusal.self, "\(name)") { try deleter.delete("r", ["one", path]) }
            // Protecting the finished files of a growing recording is allowed.
            guard !["growing", "with a part"].contains(name) else { continue }
            #expect(throws: RecordingDeleter.Refusal.self, "\(name)") { try deleter.protect("r", ["one", path], true) }
        }
        #expect(exists("recordings/one.mp3") && exists("outside/treasure.mp3") && exists("outside/treasure.json"))
        #expect(Sidecar(parsing: try folder.read("recordings/one.json"))?.isProtected == false)
    }

    /// The test makes a thousand wrong requests, with sidecars whose links lead out of the folder.
    @Test("Files outside the folder and protected files stay, whatever catalog and sidecars claim")
    func hostileClaims() throws {
        var random = SplitMix64(seed: 1_000)
        let names = [
            "one", "two", "three", "link", "..", "treasure", "a", "one.mp3", "one.json", "\u{0}", "a/../..", "é",
        ]
        try put("a/one")
        symlink("../../outside", folder.file("recordings/a/link"))
        symlink(folder.file("outside"), folder.file("recordings/link"))
        for _ in 0..<1_000 {
            for name in ["one", "two", "three", "treasure"] {
                try put(name, Bool.random(using: &random) ? "r" : "s") { sidecar in
                    sidecar.isProtected = name == "three"
                    sidecar.previous = "../outside/treasure.mp3"
                    sidecar.next = "/\(folder.file("outside/treasure.mp3"))"
                }
            }
            let paths = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                let parts = (0...Int.random(in: 0...3, using: &random)).map { _ in names.randomElement(using: &random) }
                return parts.map { $0 ?? "" }.joined(separator: "/")
            }
            try? deleter.delete("r", paths)
        }
        #expect(try folder.read("outside/treasure.mp3") == Array("treasure".utf8) && exists("outside/treasure.json"))
        #expect(exists("recordings/three.mp3") && exists("recordings/three.json"))
    }

    @Test("Whatever call fails, audio that was not deleted keeps its sidecar") func anyError() throws {
        let paths = ["one", "two"]
        var failed = 0
        for number in 1...200 {
            try put("one")
            try put("two")
            let system = FaultySystem { _, call in call == number ? EIO : nil }
            let deleter = RecordingDeleter(path: folder.file("recordings"), system: system)
            do throws(RecordingDeleter.Refusal) {
                try deleter.delete("r", paths)
                // A call whose failure does no harm does not refuse the deletion.
                if system.log.count < number { break }
            } catch {
                failed += 1
                let left = ["one", "two"].filter { exists("recordings/\($0).json") }
                // Audio that could not be deleted still has its sidecar.
                #expect(["one", "two"].allSatisfy { !exists("recordings/\($0).mp3") || left.contains($0) })
            }
        }
        #expect(failed > 10)
    }
}
