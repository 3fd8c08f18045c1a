// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

/// FLAC outside Ogg from a station that breaks off, decoded by other programs.
struct FLACTests {
    /// The number of samples in a block, and the size of one sample of both channels with 24 bits each.
    private static let (blockSize, bytesPerSample) = (4_608, 6)

    @Test("A FLAC recording that is cut every five seconds is one file with exactly the samples sent")
    func samples() async throws {
        let reference = try await ReferenceProgramme.make(.init(.nativeFLAC, seconds: 60))
        let onAir = OnAir(try Broadcast(reference).title("A - B", from: 60))
        let stream = LiveStream(
            onAir.programme, burst: 512 * 1_024, interval: 16_000, faults: [.inFrame(after: .seconds(5), .close)])
        let outcome = try await onAir.record(16, from: ScriptedOrigin(LiveScript(.stream(stream))), decoding: true)
        #expect(outcome.isWhole && outcome.report.reconnects >= 2, "\(outcome)")
        #expect(outcome.report.splices.count == outcome.report.reconnects, "\(outcome)")
        #expect(outcome.decodingErrors == [""] && outcome.report.files.allSatisfy { $0.hasSuffix("radio.flac") })

        let folder = try TemporaryFolder()
        try folder.write("recorded.flac", outcome.files[0])
        let stretch = try #require(outcome.frames.exactStretch)
        let sent = try await Self.decoded(.ffmpeg, reference.path)
        let first = stretch.lowerBound * Self.blockSize * Self.bytesPerSample
        for tool in [Tool.ffmpeg, .flac] {
            let heard = try await Self.decoded(tool, folder.file("recorded.flac"))
            #expect(heard.count == stretch.count * Self.blockSize * Self.bytesPerSample, "\(tool)")
            let isSame = sent.dropFirst(first).starts(with: heard)
            #expect(isSame, "\(tool)")
        }
        let description = try await onThread { try MediaProbe.describe(folder.file("recorded.flac")) }
        #expect(description.container == "flac" && abs(description.seconds - outcome.report.seconds) < 0.01)
        #expect(description.tags["title"] == "radio" && description.tags["album"] != nil, "\(description.tags)")
    }

    private struct Relayed: Decodable {
        struct Relay: Decodable {
            let error: Report.Failure?
        }
        let files: [String]
        let error: Report.Failure?
        let relay: Relay
    }

    @Test("A relay of FLAC ends with the reason, and the recording continues")
    func unrelayed() async throws {
        let onAir = OnAir(try Broadcast(try await ReferenceProgramme.make(.init(.nativeFLAC, seconds: 60))))
        let origin = try ScriptedOrigin(LiveScript(.stream(LiveStream(onAir.programme, burst: 512 * 1_024))))
        let folder = try TemporaryFolder()
        let outcome = try await Aircheck.run(
            ["record", origin.url("/live"), "--relay", "--listen", "127.0.0.1:0", "--duration", "4s", "--json"]
                + ["--output", folder.path])
        #expect(outcome.ending == .exited(69), "\(outcome.standardError)")
        let report = try outcome.json(Relayed.self)
        #expect(report.relay.error?.class == "unsupported" && report.error == nil, "\(outcome.standardError)")
        #expect(report.files.count == 1 && report.files[0].hasSuffix(".flac"))
        let lines = outcome.standardError.split(separator: "\n")
        #expect(lines.count { $0.contains("not relayed") } == 1, "\(lines)")
        #expect(lines.count { $0.contains("the recording continues") } == 1, "\(lines)")
    }

    @Test("FLAC from a pipe is recorded and not relayed, and junk from a pipe is a single error")
    func pipe() async throws {
        let reference = try await ReferenceProgramme.make(.init(.nativeFLAC, seconds: 6))
        let folder = try TemporaryFolder()
        for (name, bytes) in [("radio.flac", reference.bytes), ("junk", [UInt8](repeating: 7, count: 100_000))] {
            let child = try ChildProcess(
                "/bin/sh",
                [
                    "-c", "\"$0\" relay - --record --listen 127.0.0.1:0 --output \"$1\" --json < \"$2\"",
                    try aircheckBinary(), folder.file("out"), try folder.write(name, bytes),
                ])
            let outcome = try await child.outcome(within: .seconds(60))
            #expect(outcome.ending == .exited(69), "\(outcome.standardError)")
            let errors = outcome.standardError.split(separator: "\n").count { $0.contains("error:") }
            #expect(errors == 1, "\(outcome.standardError)")
            let report = try outcome.json(Relayed.self)
            #expect((report.error == nil) == (name == "radio.flac"), "\(outcome.standardError)")
            guard let file = report.files.first else { continue }
            let heard = try await Self.decoded(.flac, file)
            let isSame = heard == (try await Self.decoded(.flac, reference.path))
            #expect(isSame, "\(heard.count) bytes")
        }
        #expect(try folder.contents().count { $0.hasPrefix("out/") && $0.hasSuffix(".flac") } == 1)
    }

    private static func decoded(_ tool: Tool, _ path: String) async throws -> [UInt8] {
        let arguments =
            tool == .flac
            ? ["-s", "-d", "-c", "--force-raw-format", "--endian=little", "--sign=signed", path]
            : ["-v", "error", "-i", path, "-f", "s24le", "-"]
        let outcome = try await ChildProcess(tool.path(), arguments).outcome(within: .seconds(60))
        guard outcome.succeeded else { throw SetupError("\(tool): \(outcome.standardError)") }
        return Array(outcome.standardOutput)
    }
}
