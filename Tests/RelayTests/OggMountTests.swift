// SPDX-License-Identifier: MIT

import RadioFormats
import Relay
import Stations
import TestSupport
import TestTools
import Testing

/// Ogg on a mount: listeners get pages, whatever the station's own pages were.
struct OggMountTests {
    static let encodings: [ReferenceProgramme.Encoding] = [.opus(96), .vorbis(128), .flac]

    @Test(
        "A listener gets the headers first and then every packet once, as a stream that ffmpeg plays",
        arguments: encodings)
    func listening(encoding: ReferenceProgramme.Encoding) async throws {
        let rig = try await OggRig(encoding)
        rig.play(upTo: 0.4)
        let client = rig.listen()
        rig.play(upTo: 0.9) { client.collect() }
        rig.end { client.collect() }
        rig.reactor.pump { client.collect().end != nil }
        let report = try rig.programme.checker().check(client.body)
        expectExact(report)
        // The listener joined in the middle and got the end.
        #expect((report.first ?? 0) > 100 && report.places.count > 180)
        #expect(client.text.contains("Content-Type: \(encoding == .opus(96) ? "audio/ogg" : "application/ogg")\r\n"))
        let folder = try TemporaryFolder("ogg-mount")
        try folder.write("a.ogg", client.body)
        let decoder = try ChildProcess(
            .ffmpeg, ["-v", "warning", "-nostdin", "-i", folder.file("a.ogg"), "-f", "s16le", folder.file("pcm")])
        let outcome = try await decoder.outcome(within: .seconds(60))
        // Where FLAC is joined in the middle, ffmpeg gives the first two packets the same time.
        let complaints = outcome.standardError.split(separator: "\n").filter {
            !(encoding == .flac && $0.contains("non monotonically increasing dts"))
        }
        #expect(outcome.succeeded && complaints.allSatisfy { $0.allSatisfy(\.isWhitespace) }, "\(complaints)")
    }

    @Test(
        "A listener who asks for the past gets the headers, and then the packets since that time", arguments: encodings)
    func past(encoding: ReferenceProgramme.Encoding) async throws {
        let rig = try await OggRig(encoding)
        rig.play(upTo: 0.8)
        let client = rig.listen(query: "?from=-20s")
        rig.end { client.collect() }
        rig.reactor.pump { client.collect().end != nil }
        let report = try rig.programme.checker().check(client.body)
        expectExact(report)
        // Twenty of the 32 seconds so far.
        let (first, count) = (report.first ?? 0, report.places.count)
        #expect(abs(Double(first) / Double(first + count) - 12 / 32) < 0.05, "\(first) \(count)")
        #expect(client.text.contains("\(AirTimeField.name): "))
    }

    @Test("A new title is a new link of the chain, and no packet is lost", arguments: encodings)
    func titles(encoding: ReferenceProgramme.Encoding) async throws {
        let rig = try await OggRig(encoding)
        rig.play(upTo: 0.3)
        let client = rig.listen("Icy-MetaData: 1\r\n")
        rig.hub.setTitle("An Artist - A Title")
        rig.play(upTo: 0.6) { client.collect() }
        rig.hub.setTitle("Only a title")
        rig.play(upTo: 0.75) { client.collect() }
        let late = rig.listen()
        rig.play(upTo: 0.85) { client.collect() }
        rig.end {
            client.collect()
            late.collect()
        }
        rig.reactor.pump { client.collect().end != nil && late.collect().end != nil }
        #expect(!client.text.contains("\nicy-metaint:"))
        #expect(titles(client.body) == ["An Artist - A Title", "Only a title"])
        #expect(titles(late.body) == ["Only a title"])
        for body in [client.body, late.body] {
            let report = try rig.programme.checker().check(body)
            expectExact(report)
        }
    }

    @Test("A title that is set before the first page comes with that page")
    func earlyTitle() async throws {
        let rig = try await OggRig(.opus(96))
        rig.hub.setTitle("An Artist - A Title")
        rig.play(upTo: 0.3)
        let client = rig.listen()
        rig.play(upTo: 0.5) { client.collect() }
        rig.end { client.collect() }
        rig.reactor.pump { client.collect().end != nil }
        #expect(titles(client.body) == ["An Artist - A Title"])
    }

    @Test("During an outage an Ogg mount sends nothing, and closes its listeners after a minute")
    func outage() async throws {
        let rig = try await OggRig(.opus(96))
        rig.play(upTo: 0.5)
        let client = rig.listen()
        rig.wait(55) { client.collect() }
        #expect(client.end == nil)
        rig.wait(8) { client.collect() }
        #expect(client.end == .closed)
        expectExact(try rig.programme.checker().check(client.body))
    }

    /// Expects every packet once and in order. The beginning may be missing, because the listener joined later, and the
    /// end, because it left earlier.
    private func expectExact(_ report: FrameReport) {
        #expect(
            report.lost.isEmpty && report.duplicated.isEmpty && report.foreign == 0 && report.disorders == 0
                && report.junkBytes == 0 && !report.places.isEmpty, "\(report)")
    }

    private func titles(_ body: [UInt8]) -> [String] {
        FramerTranscript(of: [body[...]], by: OggFramer()).titles
    }
}

/// A reference programme in Ogg that a mount receives, in virtual time.
private final class OggRig: MountRig {
    let hub = StreamHub()
    let programme: ReferenceProgramme
    private var framer = OggFramer()
    private var offset = 0

    init(_ encoding: ReferenceProgramme.Encoding) async throws {
        programme = try await ReferenceProgramme.make(.init(encoding, sampleRate: 48_000, seconds: 40))
        try super.init()
        mount.tune(to: hub)
    }

    /// Plays the programme up to a fraction of its length, in steps of half a second.
    func play(upTo part: Double, _ each: () -> Void = {}) {
        let end = Int(Double(programme.bytes.count) * part)
        let step = programme.bytes.count / 80
        while offset < end {
            let next = min(offset + step, end)
            take(programme.bytes[offset..<next])
            offset = next
            reactor.advance(by: .milliseconds(500))
            reactor.drain()
            each()
        }
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { framer.append($0) }
        while let event = framer.next() {
            switch event {
            case .format(let format): hub.begin(format)
            case .title(let title): hub.setTitle(title)
            case .frame(let frame):
                framer.withBytes(of: frame) { hub.append($0, samples: frame.samples, backReference: 0) }
            default: break
            }
        }
        hub.flush()
    }

    func wait(_ seconds: Int, _ each: () -> Void) { pass(seconds, of: .seconds(1), each) }

    /// Ends the programme, and lets every listener have a turn.
    func end(_ each: () -> Void) {
        hub.end(nil)
        wait(2, each)
    }
}
