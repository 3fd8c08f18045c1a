// SPDX-License-Identifier: MIT

import Foundation
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

/// The commands about shows, their recordings and the rules that delete them, from outside.
struct ServeShowTests {
    private static let hook = """
        [[hook]]
        on = ["disk-low"]
        run = ["/bin/cat"]

        """

    @Test("A show is listed, verified, exported, skipped and ended, and new rules are forecast")
    func commands() async throws {
        let studio = try await Studio()
        let station = Serving.station("nova", studio.origin.url("/nova"), "record = \"shows\"")
        let serving = try await Serving.started(station + Self.hook)
        let (short, long) = (
            Serving.show("short", in: .seconds(4), length: "5s"), Serving.show("long", in: .seconds(-60), length: "1h")
        )
        let shows = station + short.text + long.text + Self.hook
        try serving.configure(shows)
        #expect(try await serving.ask(["reload"]).succeeded)
        #expect(try await waitUntil(.seconds(60)) { serving.log.contains("was recorded completely") }, "\(serving.log)")

        let stopped = try await serving.ask(["stop", "nova/long"])
        #expect(stopped.succeeded && stopped.text.contains("long on nova is not recorded any further"), "\(stopped)")
        let skipped = try await serving.ask(["skip", "short", "tomorrow"])
        #expect(skipped.succeeded && skipped.text.contains("short on nova is not recorded: "), "\(skipped)")
        let hooks = try await serving.ask(["hooks", "test"])
        #expect(hooks.succeeded && hooks.text.contains("hook 1 (") && hooks.text.contains("works"), "\(hooks)")

        #expect(try await waitUntil(.seconds(30)) { !serving.files.contains { $0.hasSuffix(".part") } })
        let listed = try await serving.ask(["recordings", "--shows"])
        #expect(listed.text.contains("short") && listed.text.contains("complete"), "\(listed)")
        let files = try #require(try await serving.object(["recordings", "--files"])["files"]?.arrayValue)
        #expect(files.count == 2 && serving.files.count == 2, "\(files), \(serving.files)")
        let verified = try await serving.ask(["recordings", "verify", "--all", "--station", "nova"])
        #expect(verified.succeeded && verified.text.contains("2 recordings in 2 files: all is well"), "\(verified)")
        #expect(try await serving.ask(["recordings", "verify", "--all", "--station", "fip"]).text.contains("0 rec"))

        let output = serving.folder.file("short.mp3")
        let export = ["recordings", "export", "--show", "short", "--output", output, "--date"]
        #expect(try await serving.ask(export + ["2020-01-01"]).ending == .exited(66))
        let exported = try await serving.ask(export + [short.date])
        #expect(exported.succeeded, "\(exported)")
        let audio = studio.check(try serving.folder.read("short.mp3"))
        // Five seconds of frames of 26 ms.
        #expect(audio.isExact && (190...200).contains(audio.places.count), "\(audio)")

        let one = try #require(files.first?["id"]?.stringValue)
        let alone = try await serving.ask(["recordings", "export", one, "--output", serving.folder.file("one.mp3")])
        let whole = studio.check(try serving.folder.read("one.mp3"))
        #expect(alone.succeeded && whole.isExact, "\(one): \(alone), \(whole)")

        // No deletion would free as much, so the forecast says that none is made.
        try serving.configure(shows + "[storage]\nfree-space = \"900TB\"\n")
        let checked = try await Aircheck.run(["check", "--config", serving.folder.file("config.toml")])
        let reloaded = try await serving.ask(["reload", "--now"])
        for said in [checked, reloaded] {
            #expect(said.succeeded && said.text.contains("would not free"), "\(said)")
        }
        #expect(checked.standardError.contains(/config\.toml:\d+: free-space asks for/), "\(checked)")
        #expect(serving.files.count == 2)
        #expect(try await serving.stop().ending == .exited(0))
    }
}
