// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Glibc
import Instants
import RadioCore
import RadioFormats
import Recorder
import Stations
import Storage
import TestSupport
import TestTools
import Testing

@Suite("Frame output")
struct FrameOutputTests {
    /// A hub with a frame output that writes into a file.
    private final class Rig {
        let folder: TemporaryFolder
        let hub: StreamHub
        let output: FrameOutput
        private let reactor = ManualReactor()
        private let descriptor: CInt

        init(from start: Position = Position()) throws {
            hub = StreamHub(from: start)
            folder = try TemporaryFolder()
            descriptor = open(folder.file("out"), O_WRONLY | O_CREAT, 0o644)
            output = try FrameOutput(descriptor: descriptor, zone: FixedZone.utc, reactor: reactor)
        }

        func play(_ bytes: [UInt8], with framer: some Framer) {
            var framer = framer
            hub.attach(output)
            bytes.withUnsafeBytes { framer.append($0) }
            framer.finish()
            hub.take(from: &framer)
        }

        func stop() -> RecordingReport? {
            var result: RecordingReport?
            output.stop(patience: .seconds(60)) { result = $0 }
            _ = waitUntil(.seconds(30)) {
                reactor.settle()
                return result != nil
            }
            close(descriptor)
            return result
        }
    }

    @Test("B41: A frame output continues when the count of samples has reached its limit") func endOfCount() throws {
        for format in [RecorderRig.format, StreamFormat(codec: .opus, sampleRate: 48_000, channels: 2)] {
            let rig = try Rig(from: Position(samples: .max))
            rig.hub.attach(rig.output)
            rig.hub.begin(format)
            for _ in 0..<3 {
                [UInt8](repeating: 0xFC, count: 9).withUnsafeBytes {
                    rig.hub.append($0, samples: 960, backReference: 0)
                }
                rig.hub.flush()
            }
            #expect(rig.stop()?.frames == 3)
        }
    }

    @Test("A frame output is the stream itself, and counts what it has written")
    func frames() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 12))
        let rig = try Rig()
        rig.play(programme.bytes, with: MPEGAudioFramer())
        let report = try #require(rig.stop())
        #expect(try rig.folder.read("out") == programme.bytes)
        #expect(report.bytes == Int64(programme.bytes.count) && report.files.isEmpty && report.failure == nil)
    }

    @Test(
        "A frame output in Ogg is a stream that decodes",
        arguments: [ReferenceProgramme.Encoding.opus(96), .vorbis(128)])
    func ogg(encoding: ReferenceProgramme.Encoding) async throws {
        let rate = encoding == .opus(96) ? 48_000 : 44_100
        let programme = try await ReferenceProgramme.make(.init(encoding, sampleRate: rate, seconds: 12))
        let rig = try Rig()
        rig.play(programme.bytes, with: OggFramer())
        let report = try #require(rig.stop())
        let check = try programme.checker().check(try rig.folder.read("out"))
        #expect(check.isExact && check.places.count == Int(report.frames), "\(check)")
    }
}
