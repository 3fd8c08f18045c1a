// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestSupport
import TestTools
import Testing

/// How recordings end before their time.
struct EndingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A signal during a recording finishes the files at once", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signal(_ number: CInt) async throws {
        let (origin, programme) = try await ScriptedOrigin.live()
        let child = try Aircheck.start([
            "record", origin.url(), "--segment", "2s", "--name", "{sequence}", "--json", "--output", folder.path,
        ])
        #expect(try await waitUntil(.seconds(60)) { try folder.contents().contains("003.mp3.part") })
        let begin = MonotonicInstant.now
        child.signal(number)
        let outcome = try await child.outcome(within: .seconds(60))
        #expect(outcome.endedAt - begin < .seconds(2))
        #expect(outcome.ending == .exited(0), "\(outcome.standardError)")

        let report = try Report(outcome)
        #expect(report.files.count >= 3 && report.files.first == folder.file("001.mp3"), "\(report.files)")
        let names = report.files.map { String($0.dropFirst(folder.path.count + 1).dropLast(4)) }
        #expect(try folder.contents() == names.flatMap { [$0 + ".json", $0 + ".mp3"] })
        let found = try programme.checker().check(try report.files.map { try bytes(ofFile: $0) })
        #expect(found.isExact && found.infoFrames == report.files.count && found.tagBytes > 0, "\(found)")
        for segment in report.segments where segment.isLongEnoughToProbe {
            let (description, errors) = try await onThread {
                (try MediaProbe.describe(segment.file), try MediaProbe.decodingErrors(segment.file))
            }
            #expect(abs(description.seconds - segment.seconds) < 0.027 && errors == "", "\(description) \(segment)")
        }
    }

    @Test("Ctrl-\\ ends a recording at once and reports no crash, and its file stays for the next start")
    func quit() async throws {
        let (origin, _) = try await ScriptedOrigin.live()
        let child = try Aircheck.start(["record", origin.url(), "--name", "{sequence}", "--output", folder.path])
        #expect(try await waitUntil(.seconds(60)) { try folder.contents().contains("001.mp3.part") })
        let outcome = try await child.outcome(after: SIGQUIT, within: .seconds(20))
        #expect(outcome.ending == .signalled(SIGQUIT), "\(outcome.standardError)")
        #expect(!outcome.standardError.contains("crash"))
        #expect(try folder.contents().contains("001.mp3.part"))
    }

    @Test("A recording that is killed loses at most a second, is playable, and is completed by the next one")
    func killed() async throws {
        let (origin, programme) = try await ScriptedOrigin.live()
        let checker = try programme.checker()
        let arguments = ["record", origin.url(), "--segment", "none", "--name", "{sequence}", "--output", folder.path]
        let child = try Aircheck.start(arguments)
        #expect(try await waitUntil(.seconds(60)) { origin.log.sentBytes > 90_000 })
        let sent = origin.log.sentBytes
        #expect(try await child.outcome(after: SIGKILL, within: .seconds(60)).ending == .signalled(SIGKILL))

        let part = try folder.read("001.mp3.part")
        let kept = checker.check(part)
        #expect(kept.first == 0 && kept.lost.isEmpty && kept.foreign == 0 && kept.duplicated.isEmpty, "\(kept)")
        let keptBytes = checker.frames[...(kept.last ?? 0)].reduce(0) { $0 + $1.count }
        // The response head and a frame in transit do not count as lost audio.
        #expect(sent - keptBytes <= 16_000 + 300 + 418, "\(sent) bytes sent, \(keptBytes) kept")
        #expect(try await onThread { try MediaProbe.decodingErrors(folder.file("001.mp3.part")) } == "")
        #expect(try await onThread { try MediaProbe.mpg123Warnings(folder.file("001.mp3.part")) } == "")

        let next = try await Aircheck.run(arguments + ["--duration", "2s"])
        #expect(next.ending == .exited(0), "\(next.standardError)")
        #expect(try folder.contents().filter { $0.hasSuffix(".part") } == [])
        let completed = checker.check(try folder.read("001.mp3"))
        #expect(completed.isExact && completed.first == 0 && completed.last == kept.last, "\(completed)")
        let sidecar = try SidecarDocument(ofAudio: folder.file("001.mp3"))
        #expect(sidecar.state == "interrupted" && sidecar.frames == completed.places.count)
        let description = try await onThread { try MediaProbe.describe(folder.file("001.mp3")) }
        #expect(abs(description.seconds - sidecar.seconds) < 0.027)
        #expect(try await onThread { try MediaProbe.decodingErrors(folder.file("001.mp3")) } == "")
    }

    @Test("Frames go to standard output unchanged, and a reader that leaves ends the recording")
    func standardOutput() async throws {
        let (origin, programme) = try await ScriptedOrigin.live()
        let outcome = try await Aircheck.run(["record", origin.url(), "--output", "-", "--duration", "3s"])
        #expect(outcome.ending == .exited(0), "\(outcome.standardError)")
        let checker = try programme.checker()
        let found = checker.check(outcome.standardOutput)
        let stretch = try #require(found.exactStretch, "\(found)")
        #expect(outcome.standardOutput == checker.stretch(stretch) && stretch.count > 100)

        let long = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 60, seed: 3)).bytes
        let file = try ScriptedOrigin(
            [.request, .fileHead(long.count), .send(Array(long.prefix(500_000))), .stall(Gate())])
        let script = "\"$0\" record \"$1\" --duration 1h --output - | head -c 20000 > head.mp3; exit ${PIPESTATUS[0]}"
        for url in [origin.url(), file.url()] {
            let pipe = try ChildProcess(
                "/bin/bash", ["-c", script, try aircheckBinary(), url], directory: folder.path)
            let outcome = try await pipe.outcome(within: .seconds(60))
            #expect(outcome.ending == .exited(0), "\(outcome.standardError)")
            #expect(try folder.read("head.mp3").count == 20_000)
        }
    }

    @Test("A reader that is slower than a file gets all of it, although the file arrived at once")
    func slowReader() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 60, seed: 3))
        let origin = try ScriptedOrigin([.request, .fileHead(programme.bytes.count), .send(programme.bytes)])
        // The reader takes 960 kB at 200 kB/s, until long after the station has ended.
        let reader = "for i in 1 2 3 4 5; do dd bs=40000 count=5 iflag=fullblock status=none; sleep 1; done; cat"
        let pipe = try ChildProcess(
            "/bin/bash",
            [
                "-c", "set -o pipefail; \"$0\" record \"$1\" --output - | { \(reader); } > all.mp3",
                try aircheckBinary(), origin.url(),
            ], directory: folder.path)
        let outcome = try await pipe.outcome(within: .seconds(60))
        #expect(outcome.ending == .exited(0), "\(outcome.standardError)")
        #expect(try folder.read("all.mp3") == programme.bytes)
    }

    @Test("A signal ends a recording to a slow reader within eight seconds, and says what is left")
    func slowReaderAndSignal() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 60, seed: 3))
        let origin = try ScriptedOrigin(
            [.request, .icyHead(), .pace(programme.bytes, bytesPerSecond: 160_000), .stall(Gate())])
        let reader = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do dd bs=4096 count=1 status=none; sleep 1; done; cat"
        let pipe = try ChildProcess(
            "/bin/bash",
            [
                "-c",
                "timeout --preserve-status -s TERM 3 \"$0\" record \"$1\" --output - | { \(reader); } > all.mp3; "
                    + "exit ${PIPESTATUS[0]}", try aircheckBinary(), origin.url(),
            ], directory: folder.path)
        let outcome = try await pipe.outcome(within: .seconds(60))
        #expect(outcome.ending == .exited(74), "\(outcome.standardError)")
        #expect(outcome.standardError.contains("not read fast enough"), "\(outcome.standardError)")
        let checker = try programme.checker()
        let found = checker.check(try folder.read("all.mp3"))
        let stretch = try #require(found.exactStretch, "\(found)")
        #expect(try folder.read("all.mp3") == checker.stretch(stretch))
        // The program ends after the 3 s until the signal, 7 s of patience and a little more. At its pace, the reader
        // needs more than a minute for everything.
        #expect(outcome.standardError.contains("sent 0:0"), "\(outcome.standardError)")
    }

    @Test("Two signals at once count as one, and the files are finished")
    func twoSignals() async throws {
        let (origin, _) = try await ScriptedOrigin.live()
        let child = try Aircheck.start(["record", origin.url(), "--name", "radio", "--output", folder.path])
        #expect(try await waitUntil(.seconds(60)) { try folder.contents().contains("radio.mp3.part") })
        child.signal(SIGINT)
        let outcome = try await child.outcome(after: SIGTERM, within: .seconds(60))
        #expect(outcome.ending == .exited(0), "\(outcome.standardError)")
        #expect(try folder.contents() == ["radio.json", "radio.mp3"])
    }

    @Test("A recording that is stopped before its first audio says so")
    func beforeAudio() async throws {
        let origin = try ScriptedOrigin([.request, .icyHead(), .stall(Gate())])
        let child = try Aircheck.start(["record", origin.url(), "--output", folder.path])
        #expect(try await waitUntil(.seconds(60)) { child.errorSoFar.contains("connecting to") })
        let outcome = try await child.outcome(after: SIGINT, within: .seconds(60))
        #expect(outcome.ending == .exited(0) && outcome.standardError.contains("nothing was recorded"))
        #expect(try folder.contents().isEmpty)
    }

    @Test("An output folder that is a file is reported once, with the remedy")
    func outputIsAFile() async throws {
        let (origin, _) = try await ScriptedOrigin.live()
        try folder.write("file", "")
        let outcome = try await Aircheck.run(["record", origin.url(), "--output", folder.file("file")])
        #expect(outcome.ending == .exited(74))
        let lines = outcome.standardError.split(separator: "\n").filter { !$0.contains("connect") }
        #expect(lines.count == 1, "\(outcome.standardError)")
        #expect(lines.first?.contains("/file: not a folder: choose a folder with --output") == true, "\(lines)")
    }
}
