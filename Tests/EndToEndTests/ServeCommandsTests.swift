// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

/// The commands that ask a running daemon, from outside.
struct ServeCommandsTests {
    /// Records a few seconds with `record STATION --for`, and returns the finished recording's ID.
    private func record(_ serving: Serving, _ station: String) async throws -> String {
        let asked = try await serving.ask(["record", station, "--for", "6s"])
        #expect(asked.succeeded && asked.text.contains("is recorded for"), "\(asked)")
        var id: String?
        // The first file is finished before the recording is complete.
        _ = try await waitUntil(.seconds(60)) { serving.log.contains("] recording no. ") }
        for _ in 0..<100 where id == nil {
            let listed = try await serving.object(["recordings"])["recordings"]?.arrayValue ?? []
            id = listed.first { $0["state"]?.stringValue == "complete" }?["id"]?.stringValue
        }
        return try #require(id, "\(serving.log)")
    }

    @Test("I21: A request is answered once it is stored, because the daemon may be killed after the answer")
    func answerOnceStored() async throws {
        let serving = try await Serving.started(Serving.station("nova", "http://127.0.0.1:9/", "relay = false"))
        let writer = try await HeldThread("catalog", of: try #require(serving.process?.pid))
        async let asked = serving.ask(["record", "nova", "--for", "1m"])
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("[nova]") }, "\(serving.log)")
        try await serving.kill()
        #expect(try await !asked.succeeded)
        withExtendedLifetime(writer) {}
        try await serving.start()
        #expect(try await serving.ask(["record", "nova", "--for", "1m"]).succeeded)
        try await serving.kill()
        try await serving.start()
        #expect(try await serving.ask(["stop", "1"]).succeeded)
        #expect(try await serving.stop().ending == .exited(0))
    }

    @Test("I21: A request is answered after five seconds if the disk does not answer")
    func answerWithoutDisk() async throws {
        let show = "[[station.show]]\nid = \"jazz\"\ndays = \"daily\"\nstart = \"05:00\"\nlength = \"2h\"\n"
        let serving = try await Serving.started(Serving.station("nova", "http://127.0.0.1:9/", "relay = false") + show)
        #expect(try await serving.ask(["record", "nova", "--for", "1m"]).succeeded)
        let writer = try await HeldThread("catalog", of: try #require(serving.process?.pid))
        let requests = [["record", "nova", "--for", "1m"], ["stop", "1"], ["skip", "jazz", "tomorrow"]]
        try await atOnce(requests) { request in
            let asked = MonotonicInstant.now
            let outcome = try await serving.ask(request)
            let time = outcome.endedAt - asked
            #expect(outcome.succeeded && time >= .seconds(5) && time < .seconds(30), "\(time): \(outcome)")
        }
        withExtendedLifetime(writer) {}
        try await serving.kill()
    }

    @Test("A recording is listed, shown, searched, verified, exported, protected and deleted")
    func recordings() async throws {
        let studio = try await Studio()
        let serving = try await Serving.started(Serving.station("nova", studio.origin.url("/nova")))
        let id = try await record(serving, "nova")
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("[nova] recording no. 1 is complete") })

        let list = try await serving.ask(["recordings"])
        #expect(list.text.contains(id) && list.text.contains("nova"), "\(list)")
        let file = try #require(serving.files.first)
        let name = try #require(file.split(separator: "/").last)
        let shown = try await serving.ask(["recordings", "show", id])
        #expect(shown.text.contains(name) && shown.text.contains(Studio.titlePrefix), "\(shown)")
        let found = try await serving.ask(["recordings", "search", "airch", "pie"])
        #expect(found.text.contains(Studio.titlePrefix) && found.text.contains(id), "\(found)")
        #expect(try await serving.ask(["recordings", "search", "nobody"]).text.contains("no title"))

        let recorded = studio.check(try serving.folder.read(file))
        #expect(recorded.isExact && recorded.places.count > 150, "\(recorded)")
        let whole = serving.folder.file("whole.mp3")
        let exported = try await serving.ask(["recordings", "export", id, "--output", whole])
        #expect(exported.succeeded, "\(exported)")
        #expect(studio.check(try serving.folder.read("whole.mp3")).places == recorded.places)
        let bytes = try serving.folder.read("whole.mp3")
        func get(_ options: [String], _ more: String = "") async throws -> Relaying.Answer {
            let url = "http://localhost/v1/recording/audio?id=\(id)\(more)"
            return try await Relaying.Answer(url, ["--unix-socket", serving.socket] + options)
        }
        let answer = try await get([])
        #expect(answer.status == 200 && answer.fields["content-type"] == "audio/mpeg" && answer.body == bytes)
        let head = try await get(["--head"])
        #expect(head.status == 200 && head.fields["content-length"] == "\(bytes.count)")
        let range = ["--range", "1000-1999"]
        for tag in [answer.fields["etag"] ?? "", "\"other\""] {
            let part = try await get(range + ["--header", "If-Range: \(tag)"])
            let isSame = tag == answer.fields["etag"]
            #expect(part.status == (isSame ? 206 : 200) && part.body == (isSame ? Array(bytes[1_000..<2_000]) : bytes))
        }
        #expect(try await get(["--range", "\(bytes.count)-"]).status == 416)
        #expect(try await get([], "&from=2020-01-01T00:00:00Z&until=2020-01-01T01:00:00Z").status == 404)
        // An existing file is not overwritten.
        #expect(try await serving.ask(["recordings", "export", id, "--output", whole]).ending == .exited(74))

        #expect(try await serving.ask(["recordings", "verify", id]).succeeded)
        let path = serving.folder.file(file)
        var changed = try serving.folder.read(file)
        changed[changed.count / 2] ^= 1
        try serving.folder.write(file, changed)
        let flipped = try await serving.ask(["recordings", "verify", id])
        #expect(flipped.ending == .exited(74) && flipped.text.contains("audio has changed"), "\(flipped)")
        #expect(truncate(path, off_t(try serving.folder.read(file).count - 1_000)) == 0)
        let verified = try await serving.ask(["recordings", "verify", id])
        #expect(verified.ending == .exited(74) && verified.text.contains("WRONG: "), "\(verified)")

        #expect(try await serving.ask(["recordings", "protect", id]).succeeded)
        let refused = try await serving.ask(["recordings", "delete", id])
        #expect(!refused.succeeded && refused.standardError.contains("protected"), "\(refused)")
        #expect(try await serving.ask(["recordings", "clean", "--dry-run"]).text.contains("nothing would be deleted"))
        #expect(try await serving.ask(["recordings", "unprotect", id]).succeeded)
        #expect(try await serving.ask(["recordings", "delete", id]).succeeded)
        #expect(serving.files.isEmpty && access(path, F_OK) != 0)
        #expect(try await serving.object(["recordings"])["recordings"]?.arrayValue?.isEmpty == true)
        #expect(try await serving.ask(["recordings", "show", id]).ending != .exited(0))
        #expect(try await serving.stop().ending == .exited(0))
    }

    @Test("A span between two times of day is exported across files")
    func span() async throws {
        let studio = try await Studio()
        let station = Serving.station("nova", studio.origin.url("/nova"))
        let serving = try await Serving.started(station.replacing("segment = \"none\"", with: "segment = \"2s\""))
        let id = try await record(serving, "nova")
        // There must be more than two files, so that the files in the middle are whole.
        try #require(serving.files.count > 2, "\(serving.files)")
        let sidecar = try JSONValue(
            parsing: try serving.folder.read(String(serving.files[2].dropLast(3)) + "json"), limit: 1 << 20)
        let border = try #require(sidecar["at"]?.stringValue.flatMap(CivilTime.init(rfc3339:)))
        let (from, to) = (border.instant - .seconds(1), border.instant + .seconds(1))
        let times = [from, to].map {
            String(CivilTime($0, utcOffset: border.utcOffset).rfc3339.dropFirst(11).prefix(8))
        }
        let exported = try await serving.ask(
            ["recordings", "export", id, "--from", times[0], "--to", times[1]]
                + ["--output", serving.folder.file("span.mp3")])
        #expect(exported.succeeded, "\(exported)")
        let later = String(CivilTime(border.instant + .seconds(3_600), utcOffset: border.utcOffset).rfc3339)
        let output = ["--output", serving.folder.file("none.mp3")]
        let none = try await serving.ask(["recordings", "export", id, "--from", later] + output)
        #expect(none.ending == .exited(74) && none.standardError.contains("begins in that time: it is from 2"))
        let turned = try await serving.ask(["recordings", "export", id, "--from", times[1], "--to", times[0]] + output)
        #expect(turned.ending == .exited(64) && turned.standardError.contains("--from must be earlier than --to"))
        let files = try serving.files.map { studio.check(try serving.folder.read($0)).places.compactMap(\.self) }
        let span = try #require(studio.check(try serving.folder.read("span.mp3")).exactStretch)
        let ends = (try #require(files[1].last), try #require(files[2].first))
        #expect(ends.1 == ends.0 + 1 && span.contains(ends.0) && span.contains(ends.1))
        // The span is two seconds of frames of 26 ms, because the times are whole seconds.
        #expect((75...78).contains(span.count), "\(span)")
        #expect(try await onThread { try MediaProbe.decodingErrors(serving.folder.file("span.mp3")) } == "")
        #expect(try await serving.ask(["recordings", "unprotect", id]).succeeded)
        #expect(try await serving.ask(["recordings", "delete", "\(id).2"]).succeeded)
        let verified = try await serving.ask(["recordings", "verify", id])
        #expect(verified.succeeded && verified.text.contains("deleted by Aircheck, up to 0:0"), "\(verified)")
        for file in serving.files { #expect(unlink(serving.folder.file(file)) == 0) }
        let gone = try await serving.ask(["recordings", "export", id, "--output", serving.folder.file("gone.mp3")])
        #expect(gone.ending == .exited(74) && gone.standardError.contains("are gone"), "\(gone)")
        #expect(try await serving.stop().ending == .exited(0))
    }

    @Test("Deleting is for the daemon's own user and root, and queries are for its group")
    func strangers() async throws {
        // Only root can act as somebody else.
        guard geteuid() == 0 else { return }
        let studio = try await Studio()
        let serving = try await Serving.started(Serving.station("nova", studio.origin.url("/nova")))
        let id = try await record(serving, "nova")
        // The other user may be unable to read the build folder.
        let copy = try TemporaryFolder()
        let program = try copy.write("aircheck", try bytes(ofFile: try aircheckBinary()))
        for path in [serving.folder.path, copy.path, program] { #expect(chmod(path, 0o755) == 0) }
        func asNobody(_ group: String, _ arguments: [String]) async throws -> ChildProcess.Outcome {
            try await ChildProcess(
                "/usr/bin/setpriv",
                ["--reuid=65534", "--regid=\(group)", "--clear-groups", program] + arguments
                    + ["--socket", serving.socket]
            ).outcome(within: .seconds(30))
        }
        // The socket belongs to the group of the user who has started the daemon.
        #expect(try await asNobody("0", ["recordings"]).text.contains(id))
        let refused = try await asNobody("0", ["recordings", "delete", id])
        #expect(!refused.succeeded && serving.files.count == 1, "\(refused)")
        // Removing the protection is refused as well, because retention may delete recordings that are not protected.
        #expect(try await asNobody("0", ["recordings", "protect", id]).succeeded)
        #expect(try await !asNobody("0", ["recordings", "unprotect", id]).succeeded)
        // New rules may delete recordings, too.
        let hurried = try await asNobody("0", ["reload", "--now"])
        #expect(hurried.ending != .exited(0) && hurried.standardError.contains("only the user"), "\(hurried)")
        #expect(try await asNobody("0", ["reload"]).succeeded)
        let stranger = try await asNobody("65534", ["status"])
        #expect(!stranger.succeeded, "\(stranger)")
        #expect(try await serving.ask(["recordings", "unprotect", id]).succeeded)
        #expect(try await serving.ask(["recordings", "delete", id]).succeeded && serving.files.isEmpty)
    }

    @Test("Recordings and shows are listed, a recording is ended early, and health is reported")
    func running() async throws {
        let studio = try await Studio()
        let show = Serving.distantShow("morning")
        let serving = try await Serving.started(Serving.station("nova", studio.origin.url("/nova"), show))
        let long = try await serving.ask(["recordings", "list", "--text", String(repeating: "x", count: 100_000)])
        #expect(long.ending == .exited(64) && long.standardError.contains("fewer characters"), "\(long.ending)")
        let schedule = try await serving.ask(["schedule", "--ahead", "72h"])
        #expect(schedule.text.ranges(of: "morning").count >= 2, "\(schedule)")
        let shows = try #require(try await serving.object(["schedule", "--ahead", "72h"])["shows"]?.arrayValue)
        #expect(shows.count >= 2 && shows.allSatisfy { $0["station"]?.stringValue == "nova" })

        #expect(try await serving.ask(["record", "nova", "--for", "1h"]).text.contains("aircheck stop 1"))
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("recording to") })
        let status = try await serving.ask(["status"])
        #expect(status.text.contains("nova") && status.text.contains("live"), "\(status)")
        var room = ""
        for _ in 0..<200 where !room.contains("space needed: about") {
            room = try await serving.ask(["schedule", "--ahead", "72h"]).text
        }
        #expect(room.contains("space needed: about") && !room.contains("not counted"), "\(room)")
        let metrics = try await ChildProcess(.curl, ["-s", "http://127.0.0.1:\(serving.port)/metrics"]).outcome(
            within: .seconds(20)
        ).text
        let flaws = Self.flaws(ofMetrics: metrics)
        #expect(flaws.isEmpty && metrics.contains("aircheck_"), "\(flaws)")
        #expect(try await serving.ask(["stop", "1"]).succeeded)
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("finished /") })
        #expect(try await serving.ask(["stop", "1"]).ending != .exited(0))
        let recorded = studio.check(try serving.files.flatMap(serving.folder.read))
        #expect(recorded.isExact, "\(recorded) \(serving.log)")
        for page in ["healthz", "readyz"] {
            let answer = try await ChildProcess(
                .curl, ["-s", "-o", "/dev/null", "-w", "%{http_code}", "http://127.0.0.1:\(serving.port)/\(page)"]
            ).outcome(within: .seconds(20))
            #expect(answer.text == "200", "\(page): \(answer)")
        }
    }

    /// The lines that violate Prometheus's text format. Each metric must have one HELP and one TYPE before its samples,
    /// the samples of a metric must be together, and no two samples may have the same name and labels.
    private static func flaws(ofMetrics text: String) -> [String] {
        var (flaws, told, seen) = ([String](), [String: Set<String>](), Set<String>())
        var (family, over) = ("", Set<String>())
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) {
            if let found = line.wholeMatch(of: /# (HELP|TYPE) ([a-z_]+) .+/) {
                let (kind, name) = (String(found.output.1), String(found.output.2))
                if name != family { over.insert(family) }
                family = name
                if over.contains(name) || told[name, default: []].insert(kind).inserted == false { flaws.append(line) }
            } else if let found = line.wholeMatch(of: /(([a-z_]+)(\{([a-z_]+="([^"\\]|\\.)*",?)*\})?) [-+0-9.eINFaN]+/)
            {
                let name = String(found.output.2).replacing(/_(bucket|sum|count)$/, with: "")
                let isKnown = [name, String(found.output.2)].contains { $0 == family && told[$0]?.count == 2 }
                if !isKnown || !seen.insert(String(found.output.1)).inserted { flaws.append(line) }
            } else {
                flaws.append(line)
            }
        }
        return flaws
    }

    @Test("The command add appends a station that works after a reload")
    func add() async throws {
        let studio = try await Studio()
        let serving = try await Serving.started("# My stations.\n")
        let path = serving.folder.file("config.toml")
        let added = try await Aircheck.run(["add", studio.origin.url("/fip"), "--id", "fip", "--config", path])
        #expect(added.succeeded, "\(added)")
        let text = String(decoding: try serving.folder.read("config.toml"), as: UTF8.self)
        #expect(text.contains("# My stations.") && text.contains(studio.origin.url("/fip")), "\(text)")
        #expect(try await Aircheck.run(["check", "--config", path]).succeeded)
        #expect(try await serving.ask(["reload"]).succeeded)
        #expect(try await serving.ask(["record", "fip", "--for", "1h"]).succeeded)
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("[fip] recording to") }, "\(serving.log)")
        let again = try await Aircheck.run(["add", studio.origin.url("/fip"), "--id", "fip", "--config", path])
        #expect(again.ending == .exited(64) && again.standardError.contains("already"), "\(again)")

        let secret = "http://me:s3cret@" + studio.origin.url("/nova").dropFirst("http://".count)
        for (id, mode, isShown) in [("one", mode_t(0o644), true), ("two", 0o640, false)] {
            #expect(chmod(path, mode) == 0)
            let outcome = try await Aircheck.run(["add", secret, "--id", id, "--config", path])
            #expect(outcome.succeeded && outcome.standardError.contains("everybody") == isShown, "\(outcome)")
            #expect(!outcome.text.contains("s3cret") && !outcome.standardError.contains("s3cret"))
        }
    }

    @Test("The command add refuses a file, and says which command plays it")
    func addFile() async throws {
        // A connection shorter than two minutes may be that of a live station.
        let programme = try await ReferenceProgramme.make(.init(.mp3(64), seconds: 150, seed: 3))
        let head: KeyValuePairs = ["Content-Type": "audio/mpeg", "Content-Length": "\(programme.bytes.count)"]
        let origin = try ScriptedOrigin([.request, .head("HTTP/1.1 200 OK", head), .send(programme.bytes), .close])
        let folder = try TemporaryFolder()
        let path = folder.file("config.toml")
        let added = try await Aircheck.run(["add", origin.url("/talk.mp3"), "--config", path])
        #expect(added.ending == .exited(64), "\(added)")
        #expect(added.standardError.contains("this is a file, not a station: 'aircheck play http"), "\(added)")
        #expect(folder.names(in: "").isEmpty)
    }

    @Test("A damaged file of manual recordings is reported, and the daemon starts")
    func damagedNote() async throws {
        let serving = try Serving("")
        try serving.folder.make("state")
        try serving.folder.write("state/manual-recordings.json", "{]")
        try await serving.start()
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("manual-recordings.json cannot be read") })
    }

    @Test("The command play STATION plays what the daemon relays, and its own user needs neither address nor password")
    func play() async throws {
        let studio = try await Studio()
        let serving = try Serving("")
        try serving.folder.write("users", Self.users)
        // No address that the daemon listens on can be used for playing.
        try serving.configure(
            Serving.station("nova", studio.origin.url("/nova"), "record = \"always\""),
            server: "users = \"users\"\nallow = [\"192.0.2.0/24\"]",
            before: ["unix:\(serving.folder.file("web"))"])
        try await serving.start()
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("recording to") })
        let (server, monitor) = try await heardServer()
        let child = try Aircheck.start(
            ["play", "nova", "--socket", serving.socket, "--json"], environment: server.environment)
        #expect(try await onThread { monitor.waits(.seconds(60)) { Decoded.sound($0).count > 3 * server.sampleRate } })
        let outcome = try await child.outcome(after: SIGINT, within: .seconds(20))
        #expect(outcome.succeeded && studio.origin.log.accepts.count == 1, "\(outcome)")
    }

    @Test("The command play STATION says why a station cannot be played, and what to do")
    func unplayable() async throws {
        let serving = try Serving("")
        let port = try ClosedPort()
        let station = "http://127.0.0.1:\(port.number)/"
        let stations =
            Serving.station("nova", station)
            + Serving.station("log", station, "relay = false\nrecord = \"always\"")
        try serving.configure(stations)
        try await serving.start()
        let silent = try await serving.ask(["play", "log"])
        #expect(silent.ending == .exited(64) && silent.standardError.contains("log is not relayed"), "\(silent)")

        try serving.folder.write("users", Self.users)
        try serving.configure(stations, server: "users = \"users\"")
        #expect(try await serving.ask(["reload"]).succeeded)
        // For another user, there is no socket that needs no password.
        try FileManager.default.removeItem(atPath: serving.socket + ".play")
        let refused = try await serving.ask(["play", "nova"])
        let address = "http://USER:PASSWORD@127.0.0.1:\(serving.port)/nova"
        #expect(refused.ending == .exited(64) && refused.standardError.contains(address), "\(refused)")
    }

    private static let users = "me:$2y$05$abcdefghijklmnopqrstuuSAxVuYV6x0tLiVxMOPcVnXpnxnJYd2y\n"
}
