// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import RadioCore
import Recorder
import WallClock

/// What to do with the audio; shared by `record` and `demo`.
struct RecordingOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            """
            The folder for recordings (default: this one; for demo: recordings), or - to write the frames to standard \
            output.
            """, valueName: "folder"))
    var output: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            """
            Stop after this time, counted from the first audio, such as 90m or 1h30m. Where the station is away just \
            then, Aircheck waits up to 10 s for what aired before.
            """, valueName: "time"),
        transform: DurationArgument.parse)
    var duration: DurationArgument?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "When to begin a new file: a time such as 1h (cuts at the full hour), 'title' or 'none'.",
            valueName: "time|title|none"))
    var segment = "1h"

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            """
            How to name the files: %Y %m %d %H %M %S %z and so on, {station} {title} {artist} {sequence}; a / makes \
            folders. Default: {station} %Y-%m-%d %H-%M-%S%z
            """, valueName: "template"))
    var name: String?

    @Flag(help: "Write the station's frames and nothing else: no tags, no index frame.")
    var pure = false

    @Option(
        help: ArgumentHelp("Give up when no audio has come after this time. Default: 60s", valueName: "time"),
        transform: DurationArgument.parse)
    var giveUp = DurationArgument(.seconds(60))

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How much later than the station says titles begin (earlier, with a minus).", valueName: "time"))
    var titleOffset: String?

    @Flag(help: "Keep no .json beside the recordings.")
    var noSidecar = false

    @Flag(help: "Print a report as one JSON object at the end.")
    var json = false

    /// What the recording is to be; its files go to `folder` where nothing was said.
    func spec(orElse folder: String) throws -> RecordingSpec {
        let output = try RecordingSpec.Output(parsing: output ?? folder, isNamed: name != nil)
        if output == .standardOutput, StandardDescriptors.closedAtStart.contains(1) {
            throw ValidationError("--output - needs standard output, which is closed.")
        }
        if output == .standardOutput, json {
            throw ValidationError("--json and --output - both write to standard output: choose one.")
        }
        var spec = RecordingSpec(output: output, settings: try settings(), duration: duration?.duration)
        spec.endsProgramme = true
        return spec
    }

    /// The settings of the recorder.
    func settings() throws(SettingFault) -> RecorderSettings {
        var settings = RecorderSettings(recording: RecordingIdentity.make(), zone: LocalZone())
        try settings.read(segment: segment, name: name, titleOffset: titleOffset)
        settings.isPure = pure
        settings.writesSidecars = !noSidecar
        settings.software = "Aircheck \(Version.string)"
        return settings
    }
}
