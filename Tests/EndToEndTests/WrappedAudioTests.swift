// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

/// Audio in MP4 and in MPEG transport streams.
struct WrappedAudioTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The programme in a file that FFmpeg writes without encoding it again.
    private func wrapped(
        _ programme: ReferenceProgramme, _ name: String, _ options: [String] = []
    ) async throws
        -> [UInt8]
    {
        let outcome = try await ChildProcess(
            .ffmpeg,
            ["-v", "error", "-i", programme.path, "-c", "copy"]
                + (name.hasSuffix("m4a") ? ["-bsf:a", "aac_adtstoasc"] : [])
                + options + [folder.file(name)]
        ).outcome(within: .seconds(30))
        #expect(outcome.succeeded, "\(outcome.standardError)")
        return try folder.read(name)
    }

    @Test(
        "A wrapped file is recorded as the frames that it contains",
        arguments: [
            ("a.m4a", ["-movflags", "faststart"]), ("b.m4a", ["-movflags", "cmaf+delay_moov"]), ("c.ts", []),
            ("d.ts", ["mp3"]),
        ])
    func recorded(name: String, options: [String]) async throws {
        let isMP3 = options == ["mp3"]
        let programme = try await ReferenceProgramme.make(.init(isMP3 ? .mp3(128) : .aac(128), seconds: 12))
        let body = try await wrapped(programme, name, isMP3 ? [] : options)
        let type = name.hasSuffix("ts") ? "video/mp2t" : "audio/mp4"
        let origin = try ScriptedOrigin([.request, .fileHead(body.count, type: type), .send(body)])
        let output = try TemporaryFolder()
        let report = try await Report(of: output, origin.url("/\(name)"), "--segment", "none", "--pure")
        let recorded = try report.files.map(bytes(ofFile:))
        #expect(recorded == [programme.bytes] && report.gaps.isEmpty)
        #expect(report.files.first?.hasSuffix(isMP3 ? ".mp3" : ".aac") == true)
    }

    @Test("A station that sends a transport stream is recorded as its frames")
    func station() async throws {
        let programme = try await ReferenceProgramme.make(.init(.aac(96), seconds: 20))
        let body = try await wrapped(programme, "a.ts")
        let origin = try ScriptedOrigin([
            .request, .icyHead(), .send(Array(body.prefix(100_000))),
            .pace(Array(body.dropFirst(100_000)), bytesPerSecond: 60_000), .stall(Gate()),
        ])
        let report = try await Report(of: folder, origin.url("/live"), "--duration", "3s", "--pure")
        let file = try bytes(ofFile: try #require(report.files.first))
        let found = try programme.checker().check(file)
        #expect(report.files.count == 1 && found.exactStretch?.count ?? 0 > 100, "\(found)")
    }

    @Test("M4A files are relayed as AAC, wherever their movie box is")
    func relayed() async throws {
        let (one, two) = (
            try await ReferenceProgramme.make(.init(.aac(96), seconds: 6, seed: 1)),
            try await ReferenceProgramme.make(.init(.aac(96), seconds: 6, seed: 2))
        )
        _ = try await wrapped(one, "01.m4a")
        _ = try await wrapped(two, "02.m4a", ["-movflags", "faststart"])
        let relay = try Aircheck.start(["relay", folder.path, "--once", "--listen", "127.0.0.1:0"])
        let url = try await Relaying(relay).url()
        let heard = try await ChildProcess(
            .curl, ["--silent", "--fail", "--retry", "20", "--retry-delay", "1", url]
        ).outcome(within: .seconds(40)).standardOutput
        let all = one.bytes + two.bytes
        #expect(heard.count >= two.bytes.count && all.suffix(heard.count).elementsEqual(heard))
        #expect(try await relay.outcome(within: .seconds(20)).succeeded)
    }
}
