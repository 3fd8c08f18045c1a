// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import RadioCore

/// `aircheck demo`: serves a bundled programme as a local station and records it; needs no network.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Puts a small radio station on the air on this machine and records it; no network needed.",
        usage: "aircheck demo [<options>]",
        discussion: """
            Serves music that we made ourselves as a small radio station on this machine only, titles and all, and \
            records it from there, as it would any other station. Ends by itself after a minute, or at Ctrl-C.
            """)

    @Flag(help: "Play it on this machine as well; see the options under Sound.")
    var play = false

    @OptionGroup(title: "Recording") var naming: NamingOptions
    @OptionGroup(title: "Recording") var recording: RecordingOptions

    @OptionGroup(title: "Sound") var sound: PlayOptions

    @Flag(help: "Print a report as one JSON object at the end.")
    var json = false

    @OptionGroup var reporting: DetailOptions

    func validate() throws {
        _ = try session()
    }

    func run() throws {
        var run = SessionRun(try session(), wantsJSON: json, detail: reporting.detail, intro: Self.intro)
        try run.run()
    }

    private static let intro = [
        "A small radio station is on the air on this machine, with music that we made ourselves.",
        "Aircheck records it like any other. You can listen at the address below while it runs.",
    ]

    private func session() throws -> Session {
        var spec = try checked { try recording.spec(orElse: "recordings", name: naming.name, json: json) }
        spec.duration = spec.duration ?? .seconds(60)
        if let option = sound.given, !play { throw ValidationError("\(option) requires --play.") }
        var part = Session.Part(programme: .demo(userAgent: Version.userAgent), recording: spec)
        if play {
            part.player = try checked { try sound.spec(measuresLoudness: Console(reporting.detail).hasLiveLine) }
        }
        return Session(parts: [part])
    }
}
