// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import RadioCore

/// `aircheck demo`: everything at once on a bundled programme; no network needed.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Puts a small radio station on the air on this machine and records it; no network needed.",
        usage: "aircheck demo [<options>]",
        discussion: """
            Serves music that we made ourselves as a small radio station on this machine only, titles and all, and \
            records it from there, as it would any other station. Ends by itself after a minute, or at Ctrl-C.
            """)

    @OptionGroup(title: "Recording") var recording: RecordingOptions

    func validate() throws {
        _ = try job()
    }

    func run() throws {
        try RecordingRun(job: job(), wantsJSON: recording.json, intro: Self.intro).run()
    }

    private static let intro = [
        "A small radio station is on the air on this machine, with music that we made ourselves.",
        "Aircheck records it like any other. You can listen at the address below while it runs.",
    ]

    private func job() throws -> RecordJob {
        RecordJob(
            source: .demo(userAgent: Version.userAgent), output: recording.destination(orElse: "recordings"),
            recording: try recording.settings(), duration: recording.duration?.duration ?? .seconds(60))
    }
}
