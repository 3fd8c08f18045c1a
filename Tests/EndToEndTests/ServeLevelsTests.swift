// SPDX-License-Identifier: MIT

import Foundation
import RadioFormats
import TestSupport
import TestTools
import Testing

/// The levels beside the recordings of the program.
struct ServeLevelsTests {
    private static func origin() async throws -> ScriptedOrigin {
        var parameters = ReferenceProgramme.Parameters(.mp3(128), seed: 9)
        parameters.scenes = [.music(5.4), .hiss(3), .half(6), .silence(2), .tone(4), .music(100)]
        let broadcast = try Broadcast(try await ReferenceProgramme.make(parameters))
        var script = LiveScript(.stream(LiveStream(broadcast, burst: 16_000)))
        script.onAir = .seconds(2)
        return try ScriptedOrigin(script)
    }

    /// RMS and peak of each second of each file, as the program prints them.
    private static func levels(_ serving: Serving, _ id: String) async throws -> [[(rms: Double, peak: Double)?]] {
        let object = try await serving.object(["recordings", "levels", id])
        return (object["files"]?.arrayValue ?? []).map { file in
            let pair = file["pairs"]?.arrayValue?.first
            return zip(pair?["rms"]?.arrayValue ?? [], pair?["peak"]?.arrayValue ?? []).map { rms, peak in
                rms.doubleValue.flatMap { rms in peak.doubleValue.map { (rms, $0) } }
            }
        }
    }

    private static func expect(_ found: [(rms: Double, peak: Double)?], agreesWith path: String) throws {
        let truth = try SecondsOfSound(ofFile: path)
        #expect(abs(found.count - truth.count) <= 1 && found.count > 3)
        // Alone, the first frames of a file lack the data of earlier frames.
        for second in 1..<min(found.count, truth.count) {
            let (rms, peak) = truth.levels(of: second)
            let level = try #require(found[second], "\(second)")
            #expect(rms.lowerBound - 0.5...rms.upperBound + 0.5 ~= level.rms, "\(second)")
            #expect(peak.lowerBound - 0.8...peak.upperBound + 0.8 ~= level.peak, "\(second)")
        }
    }

    @Test("B52: levels can be read while a file grows, survive a kill, are made again, exported and deleted")
    func life() async throws {
        let origin = try await Self.origin()
        let serving = try Serving(
            Serving.station("fip", origin.url("/fip"), "record = \"always\"\nsilence = \"30s\"\nlevels = true"))
        try await serving.start()
        var id = ""
        var found: [(rms: Double, peak: Double)?] = []
        let deadline = Deadline(after: .seconds(60))
        while found.count < 10, !deadline.hasPassed {
            let list = try await serving.object(["recordings"])
            id = list["recordings"]?.arrayValue?.first?["id"]?.stringValue ?? ""
            if !id.isEmpty { found = try await Self.levels(serving, id).first ?? [] }
        }
        #expect(found.count >= 10 && found.allSatisfy { $0 != nil }, "\(serving.log)")
        let picture = try await serving.ask(["recordings", "levels", id])
        #expect(picture.succeeded && picture.text.split(separator: "\n").count == 5, "\(picture.text)")
        #expect(picture.text.contains("█"), "\(picture.text)")
        try await serving.kill()

        try await serving.start()
        @Sendable func names(_ ending: String) -> [String] {
            serving.folder.names(in: "recordings").filter { $0.hasSuffix(ending) }
        }
        #expect(try await waitUntil(.seconds(30)) { names(".mp3").count == 1 && names(".levels").count >= 1 })
        let name = try #require(names(".mp3").first)
        let companion = name.replacing(".mp3", with: ".levels")
        let before = try serving.folder.read("recordings/\(companion)")
        #expect(before.starts(with: Array("aclevels".utf8)))
        try FileManager.default.removeItem(atPath: serving.folder.file("recordings/\(companion)"))
        #expect(try await serving.ask(["recordings", "rescan"]).succeeded)
        #expect(try await waitUntil(.seconds(30)) { names(".levels").contains(companion) }, "\(serving.log)")
        let audio = serving.folder.file("recordings/\(name)")
        try Self.expect(try #require(try await Self.levels(serving, id).first), agreesWith: audio)
        let after = try serving.folder.read("recordings/\(companion)")
        #expect(zip(before.dropFirst(18), after.dropFirst(18)).allSatisfy { abs(Int($0) - Int($1)) <= 1 || $0 == 0 })

        let copy = serving.folder.file("copy.mp3")
        #expect(try await serving.ask(["recordings", "export", id, "--output", copy]).succeeded)
        #expect(try serving.folder.read("copy.levels").count > 20)
        #expect(try await serving.ask(["recordings", "delete", id]).succeeded)
        let base = name.replacing(".mp3", with: "")
        #expect(!serving.folder.names(in: "recordings").contains { $0.hasPrefix(base) })
        #expect(try await serving.stop().succeeded)
    }
}
