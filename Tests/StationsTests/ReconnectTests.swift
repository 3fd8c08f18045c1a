// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Stations
import TestSupport
import TestTools
import Testing

/// Drops and stalls: the station comes back, and reports what was lost.
struct ReconnectTests {
    enum Cut: CaseIterable {
        case betweenFrames, inFrame, inLengthByte, inBlock
    }

    enum Ending: CaseIterable {
        case close, reset
    }

    @Test("A drop leaves whole frames, one gap, and positions that continue", arguments: Cut.allCases, Ending.allCases)
    func drop(cut: Cut, ending: Ending) async throws {
        let before = SampleProgramme(30, seed: 1)
        let after = SampleProgramme(30, seed: 2)
        let interval = 1_000
        let first = ICYBody(before.bytes, interval: interval, titles: [(0, "Before"), (8_500, "Cut off")]).bytes
        // The block of the second title lies after 9,000 bytes of audio, 8 empty blocks and the block of the first
        // title.
        let block = 9_000 + 8 + ICYBody.block("StreamTitle='Before';").count - 1
        let length =
            switch cut {
            case .betweenFrames: 417 * 16 + 5 + block - 9_008
            case .inFrame: 7_000
            case .inLengthByte: block + 1
            case .inBlock: block + 12
            }
        let sent = Array(first.prefix(length))
        let whole = Self.wholeFrames(in: sent, interval: interval)
        let gate = Gate()
        let second = ICYBody(after.bytes, interval: interval, titles: [(0, "Before")]).bytes
        let origin = try ScriptedOrigin(
            [.request, .icyHead(interval: interval), .send(sent), .stall(gate)]
                + [ending == .close ? .close : .reset],
            [.request, .icyHead(interval: interval), .send(second), .stall(Gate())])
        let rig = try StationRig(.patient([origin.url()]))
        defer { rig.close() }
        // Bytes that were not read before the reset are lost, so wait for all frames but the last, unconfirmed ones.
        _ = try await rig.wait { $0.frames >= whole - 2 }
        gate.open()
        let heard = try await rig.wait { $0.frames >= whole + 28 }
        #expect(heard.audio.starts(with: before.frames(0..<whole)))
        #expect(after.bytes.starts(with: heard.audio.dropFirst(whole * 417)))
        let gap = try #require(heard.gaps.first)
        #expect(heard.gaps.count == 1)
        #expect(heard.discontinuities.map(\.position.frames) == [0, Int64(whole)])
        // Different frames arrive all at once, so it is unknown how much is missing.
        #expect(gap.length == nil && gap.overlap > .zero, "\(gap)")
        #expect(gap.cause.contains("127.0.0.1") || gap.cause.contains("closed"), "\(gap.cause)")
        #expect(heard.formats.count == 1)
        #expect(heard.positions.allSatisfy { $0.bytes == $0.frames * 417 && $0.samples == $0.frames * 1_152 })
        #expect(heard.titles.map(\.text) == ["Before"] && heard.notices.contains(.gap(gap)))
        let snapshot = await rig.snapshot()
        #expect(snapshot?.reconnects == 1)
    }

    @Test("The events after a reconnect come in order: gap, air time, title, audio") func eventOrder() async throws {
        let gate = Gate()
        let joined = Array(SampleProgramme(40, seed: 2).bytes.dropFirst(100))
        let body = ICYBody(joined, interval: 100, titles: [(0, "New")])
        let origin = try ScriptedOrigin(
            [.request, .icyHead(), .send(SampleProgramme(40).bytes), .stall(gate), .close],
            [.request, .icyHead(interval: 100), .send(body.bytes), .stall(Gate())])
        let rig = try StationRig(.patient([origin.url()]))
        defer { rig.close() }
        _ = try await rig.wait { $0.frames >= 38 }
        gate.open()
        let heard = try await rig.wait { $0.frames >= 77 }
        let isFirst = ["station", "format", "discontinuity", "air time", "chunk"]
        #expect(Array(heard.order.prefix(5)) == isFirst)
        let second = heard.order.lastIndex(of: "station").map { heard.order[$0...].prefix(5) }
        #expect(second.map(Array.init) == ["station", "discontinuity", "air time", "title", "chunk"])
    }

    @Test("A28: A reconnect brings the cookies of the connection before it") func cookies() async throws {
        let fields: KeyValuePairs = ["Content-Type": "audio/mpeg", "Set-Cookie": "seat=7"]
        let origin = try ScriptedOrigin(
            [.request, .head("HTTP/1.1 200 OK", fields), .send(SampleProgramme(40).bytes), .close],
            [.request, .icyHead(), .send(SampleProgramme(40, seed: 2).bytes), .stall(Gate())])
        _ = try await StationRig.listen(to: origin.url()) { $0.frames >= 77 }
        #expect(origin.requests.map { $0.header("Cookie") } == [nil, "seat=7"])
    }

    @Test("A new format after a reconnect is reported before its frames, and samples count anew")
    func newFormat() async throws {
        let first = SampleProgramme(20)
        let second = SampleProgramme(20, sampleRate: .dat)
        let origin = try ScriptedOrigin(
            [.request, .icyHead(), .send(first.bytes)],
            [.request, .icyHead(), .send(second.bytes), .stall(Gate())])
        let heard = try await StationRig.listen(to: origin.url()) { $0.frames >= 38 }
        #expect(heard.formats.map(\.format.sampleRate) == [44_100, 48_000])
        #expect(heard.formats.last?.position == Position(frames: 20, bytes: 20 * 417, samples: 0))
        #expect(heard.gaps.count == 1)
        #expect((first.bytes + second.bytes).starts(with: heard.audio))
    }

    @Test("A format that changes within a connection is not a stall") func formatChange() async throws {
        let first = SampleProgramme(200)
        // The new format comes at real-time pace, for longer than a stall would last.
        let second = SampleProgramme(160, sampleRate: .dat)
        let origin = try ScriptedOrigin(
            [
                .request, .icyHead(), .send(first.bytes), .send(second.frames(0..<10)),
                .pace(second.frames(10..<160), bytesPerSecond: 16_000), .stall(Gate()),
            ])
        // The last frames may wait in the kernel for a while.
        let heard = try await StationRig.listen(
            to: origin.url(), change: { $0.limits.stall = .seconds(2) }, until: { $0.frames >= 200 + 140 })
        #expect((first.bytes + second.bytes).starts(with: heard.audio))
        #expect(heard.formats.map(\.format.sampleRate) == [44_100, 48_000] && heard.gaps.isEmpty)
        // The first chunk of the new format counts samples from the format's beginning.
        #expect(heard.positions.contains(Position(frames: 200, bytes: 200 * 417, samples: 0)))
    }

    @Test("A silent connection is left for another, and the gap counts from the last frame") func silence() async throws
    {
        let began = MonotonicInstant.now
        let origin = try ScriptedOrigin(
            [.request, .icyHead(), .send(SampleProgramme(40).bytes), .stall(Gate())],
            [.request, .icyHead(), .send(SampleProgramme(10, seed: 2).bytes), .stall(Gate())])
        let heard = try await StationRig.listen(
            to: origin.url(), change: { $0.limits.stall = .milliseconds(600) }, until: { $0.frames >= 39 + 9 })
        let gap = try #require(heard.gaps.first)
        #expect(gap.cause == "the station stopped sending audio")
        let length = try #require(gap.length)
        // The burst of the new connection was on air before it arrived.
        #expect(length >= .milliseconds(590) - Self.play(10) && length < .now - began, "\(length)")
    }

    @Test("A station that is stopped while it is unavailable has a gap at its end") func stoppedWhileDown() async throws
    {
        let origin = try ScriptedOrigin(
            [.request, .icyHead(), .send(SampleProgramme(40).bytes)],
            [.request, .failure(503, "Service Unavailable")])
        let rig = try StationRig(.patient([origin.url()]))
        defer { rig.close() }
        _ = try await rig.wait { $0.failures.count >= 2 }
        await rig.act { station, _ in station.stop() }
        let heard = try await rig.wait { $0.hasEnded }
        #expect(heard.order.suffix(3) == ["chunk", "discontinuity", "end"])
        let gap = try #require(heard.gaps.first)
        #expect(gap.tried.first?.contains("503") == true)
        #expect(heard.discontinuities.last?.position.frames == 40 && heard.failure == nil)
    }

    @Test("A station that falls silent leaves no frame held back") func nothingHeldBack() async throws {
        // The programme is long enough for bytes to gather in the kernel. The last bytes would be too few to be
        // delivered.
        let programme = SampleProgramme(120)
        let origin = try ScriptedOrigin(
            [
                .request, .icyHead(), .send(programme.frames(0..<100)),
                .pace(programme.frames(100..<115), bytesPerSecond: 16_000),
                .pace(programme.frames(115..<120), bytesPerSecond: 1_000), .stall(Gate()),
            ])
        let heard = try await StationRig.listen(to: origin.url()) { $0.frames >= 119 }
        #expect(programme.bytes.starts(with: heard.audio))
        #expect(heard.gaps.isEmpty)
    }

    @Test("Bytes that are not frames are not a sign of life") func junk() async throws {
        let junk = [UInt8](repeating: 0x55, count: 40_000)
        let origin = try ScriptedOrigin(
            [.request, .icyHead(), .send(SampleProgramme(40).bytes), .pace(junk, bytesPerSecond: 8_000)],
            [.request, .icyHead(), .send(SampleProgramme(40, seed: 2).bytes), .stall(Gate())])
        let heard = try await StationRig.listen(
            to: origin.url(), change: { $0.limits.stall = .milliseconds(600) }, until: { $0.frames >= 76 })
        #expect(heard.gaps.map(\.cause) == ["the station stopped sending audio"])
        #expect(heard.snapshot?.skipped.isEmpty == false)
    }

    @Test("Metadata alone is not a sign of life") func metadataAlone() async throws {
        let audio = ICYBody(SampleProgramme(40).bytes, interval: 40, titles: []).bytes
        let junk = [UInt8](repeating: 0x55, count: 40)
        let titles: [UInt8] = (0..<100).flatMap { number in junk + ICYBody.block("StreamTitle='\(number)';") }
        let origin = try ScriptedOrigin(
            [.request, .icyHead(interval: 40), .send(audio), .pace(titles, bytesPerSecond: 2_000)],
            [.request, .icyHead(), .send(SampleProgramme(40, seed: 2).bytes), .stall(Gate())])
        let heard = try await StationRig.listen(
            to: origin.url(), change: { $0.limits.stall = .milliseconds(600) }, until: { $0.frames >= 76 })
        #expect(heard.gaps.map(\.cause) == ["the station stopped sending audio"])
    }

    @Test("Failures while a station reconnects are listed in the gap") func failedTries() async throws {
        let origin = try ScriptedOrigin(
            [.request, .icyHead(), .send(SampleProgramme(40).bytes)],
            [.request, .failure(503, "Service Unavailable")],
            [.request, .icyHead(), .send(SampleProgramme(10, seed: 2).bytes), .stall(Gate())])
        let heard = try await StationRig.listen(to: origin.url()) { $0.frames >= 40 + 9 }
        let gap = try #require(heard.gaps.first)
        #expect(gap.tried.count == 1 && gap.tried.first?.contains("503") == true)
        #expect(gap.length.map { $0 > .milliseconds(390) - Self.play(10) } == true, "\(gap)")
    }

    @Test("A sink that stops the station during a delivery receives nothing after the end")
    func stopInDelivery() async throws {
        let body = ICYBody(SampleProgramme(200).bytes, interval: 1_000, titles: [(0, "A"), (20_000, "B")])
        let origin = try ScriptedOrigin([.request, .icyHead(interval: 1_000), .send(body.bytes), .stall(Gate())])
        let rig = try StationRig(.patient([origin.url()])) { station, _, event in
            if case .title(let title) = event, title.text == "B" { station.stop() }
        }
        defer { rig.close() }
        _ = try await rig.wait { $0.hasEnded }
        // Once the loop runs this empty job, the rest of that delivery has passed.
        await rig.act { _, _ in }
        let heard = try await rig.wait { $0.hasEnded }
        #expect(heard.order.last == "end" && heard.order.count { $0 == "discontinuity" } == 1)
        #expect(heard.failure == nil)
    }

    @Test("Audio that is repeated after a reconnect is delivered once") func repeatedAudio() async throws {
        let origin = try ScriptedOrigin(
            [.request, .icyHead(), .send(SampleProgramme(40).bytes)],
            [.request, .icyHead(), .send(SampleProgramme(60).bytes), .stall(Gate())])
        let heard = try await StationRig.listen(to: origin.url()) { $0.frames >= 59 }
        #expect(heard.audio == SampleProgramme(60).frames(0..<59) && heard.gaps.isEmpty)
        #expect(heard.splices.map(\.droppedFrames) == [40])
        #expect(heard.discontinuities.map(\.kind) == [.firstJoin])
    }

    /// The playing time of this many frames.
    private static func play(_ frames: Int64) -> Duration { .samples(frames * 1_152, at: 44_100) }

    /// The number of whole frames in `bytes`, the beginning of a stream with metadata.
    private static func wholeFrames(in bytes: [UInt8], interval: Int) -> Int {
        var demuxer = ICYDemuxer(interval: interval)
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            while demuxer.next(in: bytes, at: &offset) != nil {}
        }
        return Int(demuxer.audioBytes) / 417
    }
}
