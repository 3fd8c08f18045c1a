// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import RadioCore
import Recorder
import WallClock

/// How to record; shared by all commands that record.
struct RecordingOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            """
            The folder for recordings (default: the current one, or ./recordings for 'aircheck demo'), or - to write \
            the frames to standard output.
            """, valueName: "folder"), completion: .directory)
    var output: String?

    @Option(
        name: [.customShort("d", allowingJoined: true), .long],
        help: ArgumentHelp(
            """
            Stop after this time, counted from the first audio (of any station), such as 90m or 1h30m. \
            What the station sends at once on connect comes on top, so a file is a few seconds longer. If the \
            station is unavailable at the end, Aircheck waits up to 10 s for audio that aired before the end.
            """, valueName: "time"),
        transform: ArgumentValue.duration)
    var duration: DurationArgument?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "When to begin a new file: a time such as 1h (cuts at the full hour), 'title' or 'none'. Default: 1h",
            valueName: "time|title|none"), completion: .segments)
    var segment: String?

    @Flag(help: "Write the station's frames and nothing else: no tags, no index frame.")
    var pure = false

    @Option(
        parsing: .unconditional,
        help: .value("time", "By how much titles begin later than the station reports; negative if earlier."))
    var titleOffset: String?

    @Flag(help: "Write no .json beside the recordings.")
    var noSidecar = false

    @Option(
        help: ArgumentHelp(
            """
            Stop writing if less than this is free on the disk, such as 1GB, and resume once there is more; \
            players and the relay continue meanwhile. Default: 100MB, but at most a twentieth of the disk; 0B to \
            fill it up
            """, valueName: "size"))
    var keepFree: String?

    @Option(
        help: ArgumentHelp(
            """
            Run this program for each finished file, with its path as the last argument, and what the .json says (and \
            the path, as 'file') on standard input. Words are separated by blanks; quotes and \\ keep them together; \
            there is no shell. Two programs run at a time. Processes that a program leaves behind end with it. A failure \
            is reported, and does not affect the recording. After a crash, the next start runs it for files that were \
            left unfinished; a file that had just been finished may miss it.
            """, valueName: "command"))
    var exec: String?

    @Option(
        help: .value("time", "How long the program of --exec may run. Default: 10m"), transform: ArgumentValue.duration)
    var execTimeout: DurationArgument?

    /// The first of these options that was given; nil if none was.
    var given: String? {
        Self.first(given: [
            "--output": output != nil, "--duration": duration != nil, "--segment": segment != nil,
            "--title-offset": titleOffset != nil, "--keep-free": keepFree != nil, "--exec": exec != nil,
            "--exec-timeout": execTimeout != nil, "--pure": pure, "--no-sidecar": noSidecar,
        ])
    }

    /// How to record. Files go to `folder` if `--output` was not given. `name` is the template for file names; nil for
    /// the default.
    func spec(orElse folder: String, name: String?, json: Bool) throws -> RecordingSpec {
        let output = try RecordingSpec.Output(parsing: output ?? folder, isNamed: name != nil)
        if output == .standardOutput, StandardDescriptors.closedAtStart.contains(1) {
            throw ValidationError("--output - needs standard output, which is closed.")
        }
        if output == .standardOutput, StandardDescriptors.isTerminal(1) {
            throw ValidationError(
                """
                --output - would write audio to this terminal: pipe it to a program, as in '--output - | mpv -', or \
                name a folder.
                """)
        }
        if output == .standardOutput, json {
            throw ValidationError("--json and --output - both write to standard output: choose one.")
        }
        var spec = RecordingSpec(output: output, settings: try settings(name: name), duration: duration?.duration)
        spec.endsProgramme = true
        switch output {
        case .folder: try spec.settings.read(keepFree: keepFree)
        case .standardOutput:
            if let segment, segment != "none" {
                throw SettingFault(.segment, "cannot be combined with \(.output) -: no file is written")
            }
            if keepFree != nil {
                throw SettingFault(.keepFree, "cannot be combined with \(.output) -: no file is written")
            }
        }
        if exec == nil, execTimeout != nil { throw ValidationError("--exec-timeout requires --exec.") }
        if let exec {
            guard output != .standardOutput else {
                throw SettingFault(.exec, "cannot be combined with \(.output) -: no file is written")
            }
            spec.exec = try FileProgram(parsing: exec)
            if let limit = execTimeout?.duration {
                guard limit >= .seconds(1) else { throw ValidationError("--exec-timeout must be at least 1s.") }
                spec.exec?.deadline = limit
            }
        }
        return spec
    }

    /// The recorder's settings; `name` as for ``spec(orElse:name:json:)``.
    func settings(name: String? = nil) throws(SettingFault) -> RecorderSettings {
        var settings = RecorderSettings(recording: RecordingIdentity.make(), zone: LocalZone())
        try settings.read(segment: segment ?? "1h", name: name, titleOffset: titleOffset)
        settings.isPure = pure
        settings.writesSidecars = !noSidecar
        settings.software = "Aircheck \(Version.string)"
        return settings
    }
}
