// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import TestTools

/// A programme that live origins send, and recordings of it by `record`.
struct OnAir: Sendable {
    let programme: Broadcast
    private let checker: FrameChecker

    init(_ programme: Broadcast) {
        self.programme = programme
        checker = FrameChecker(programme)
    }

    /// One programme of every kind in the table of issue 3, long enough for 45 s behind a burst. No two frames are
    /// alike.
    static func programmes() async throws -> [(name: String, OnAir)] {
        let length = Duration.seconds(100)
        let rates = [MPEGShape(32, isMono: true), MPEGShape(128), MPEGShape(192), MPEGShape(320)]
        let parameters: [ReferenceProgramme.Parameters] = [
            .init(.opus(96), sampleRate: 48_000, seconds: 100), .init(.aac(96), seconds: 100),
        ]
        var programmes = rates.map { ("\($0.bitRate) kbit/s", OnAir(Broadcast([.music(length)], $0))) }
        for (name, parameters) in zip(["Opus", "AAC"], parameters) {
            programmes.append((name, OnAir(try Broadcast(try await ReferenceProgramme.make(parameters)))))
        }
        return programmes
    }

    /// The results of one recording.
    struct Outcome: Sendable, CustomStringConvertible {
        let report: Report
        let frames: FrameReport
        /// The log of each origin.
        let logs: [OriginLog]
        let process: ChildProcess.Outcome
        /// The recorded files. Their sidecars, and ffmpeg's complaints about each file, are below.
        let files: [[UInt8]]
        let sidecars: [SidecarDocument]
        let decodingErrors: [String]

        /// Whether every frame was recorded once, in order, with nothing else, in one file and without a gap.
        var isWhole: Bool { frames.isExact && report.gaps.isEmpty && report.files.count == 1 }

        var accepts: Int { logs.reduce(0) { $0 + $1.accepts.count } }
        var faults: Int { logs.reduce(0) { $0 + $1.faults.count } }

        var description: String {
            "\(frames); \(report.files.count) files, gaps \(report.gaps), foreign \(report.foreign), splices"
                + " \(report.splices.map(\.by)), reconnects \(report.reconnects), hedges \(report.hedges), accepts"
                + " \(accepts), faults \(faults)\n\(process.standardError)"
        }
    }

    /// Records for `seconds` of real time from `origins`, which are mirrors. `credentials`, including the @, stand
    /// before the host in the address. `options` are further ones of the command. With `decoding`, ffmpeg decodes the
    /// files. `watch` runs during the recording, with the process and the folder in which `radio.mp3.part` grows.
    func record(
        _ seconds: Int, from origins: ScriptedOrigin..., credentials: String = "", options: [String] = [],
        decoding: Bool = false,
        watch: (ChildProcess, TemporaryFolder) async throws -> Void = { _, _ in }
    ) async throws -> Outcome {
        let folder = try TemporaryFolder()
        let urls = origins.map { "http://\(credentials)127.0.0.1:\($0.port)/live" }
        let child = try Aircheck.start(
            ["record"] + urls + options + [
                "--segment", "none", "--duration", "\(seconds)s", "--json", "--name", "radio",
            ]
                + ["--output", folder.path])
        try await watch(child, folder)
        let process = try await child.outcome(within: .seconds(seconds + 60))
        let logs = origins.map(\.log)
        let report = try Report(process)
        let files = try report.files.map { try bytes(ofFile: $0) }
        let sidecars = try report.files.map { try SidecarDocument(ofAudio: $0) }
        let (found, errors) = try await onThread { [checker] in
            (checker.check(files), decoding ? try report.files.map { try MediaProbe.decodingErrors($0) } : [])
        }
        return Outcome(
            report: report, frames: found, logs: logs, process: process, files: files, sidecars: sidecars,
            decodingErrors: errors)
    }

    /// The length of some frames of the programme.
    func seconds(_ places: [Int]) -> Double {
        places.reduce(0) { $0 + programme.frames[$1].length.inSeconds }
    }
}
