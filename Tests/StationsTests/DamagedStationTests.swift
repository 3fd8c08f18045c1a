// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Bytes that are already wrong when the station receives them, on all connections or on one.
struct DamagedStationTests {
    @Test("A flipped metadata length byte is noticed, and the new connection is spliced, nearly always without a loss")
    func lengthBytes() {
        var programme = Broadcast([.music(.seconds(70))])
        for place in stride(from: 0, to: programme.frames.count, by: 150) {
            programme = programme.title("Title \(place)", from: place)
        }
        let heard = HeardFrames(of: programme)
        var random = SplitMix64(seed: 100)
        var whole = 0
        for flip in 0..<100 {
            let (block, mask) = (Int.random(in: 0..<25, using: &random), UInt8.random(in: 1...255, using: &random))
            let script = LiveScript { [programme] visit in
                var stream = LiveStream(programme, interval: 8_192)
                if visit.number == 0 { stream.lengthFlips = [block: mask] }
                return .stream(stream)
            }
            let outcome = VirtualStation(script, hearing: heard).run(for: .seconds(25))
            let said: Comment = "flip \(flip), block \(block), mask \(mask): \(outcome)"
            #expect(outcome.report.foreign == 0 && outcome.report.lost.count <= 12, said)
            #expect(outcome.snapshot.reconnects >= 1, said)
            if outcome.isWhole { whole += 1 }
        }
        #expect(whole >= 95)
    }

    @Test("C9: Metadata that a server sends without a request is removed from the audio after two slips as well")
    func insistence() {
        var programme = Broadcast([.music(.seconds(110))])
        for place in stride(from: 0, to: programme.frames.count, by: 150) {
            programme = programme.title("Title \(place)", from: place)
        }
        let heard = HeardFrames(of: programme)
        let script = LiveScript { [programme] visit in
            var stream = LiveStream(programme, interval: 8_192, insistsOnMetadata: true)
            // The first two connections slip. The third one is damaged, too, although metadata is no longer requested
            // by then.
            if visit.number < 3 { stream.lengthFlips = [20: 7] }
            return .stream(stream)
        }
        let outcome = VirtualStation(script, hearing: heard).run(for: .seconds(65))
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.snapshot.reconnects == 3, "\(outcome)")
    }

    @Test(
        "B2: A wrong byte costs at most the frame whose header it hits and the frame before",
        arguments: [true, false])
    func audio(withCuts: Bool) throws {
        let programme = Broadcast([.music(.seconds(110))])
        for run in 0..<10 {
            var random = SplitMix64(seed: UInt64(run))
            var masks: [Int: UInt8] = [:]
            var headers: Set<Int> = []
            while masks.count < 100 {
                // The damage lies after the first 36 s, because the station begins with the frames that are on air
                // then.
                let place = Int.random(in: 1_400..<3_950, using: &random)
                let bytes = programme.byteRange(of: place..<place + 1)
                let isInHeader = masks.count < 50
                let offset = bytes.lowerBound + Int.random(in: isInHeader ? 0..<4 : 4..<bytes.count, using: &random)
                masks[offset] = UInt8.random(in: 1...255, using: &random)
                if isInHeader { headers.insert(place) }
            }
            let sent = programme.damaged(masks)
            var stream = LiveStream(sent, faults: withCuts ? [.inFrame(after: .seconds(20), .reset)] : [])
            stream.burstBeginsWithFrame = true
            let outcome = VirtualStation(
                LiveScript(.stream(stream)), hearing: HeardFrames(of: sent), seed: UInt64(run)
            ).run(for: .seconds(65))
            let report = outcome.report
            let said: Comment = "run \(run): \(outcome)"
            // A frame whose wrong byte does not move its end is kept as the station sent it.
            let lost = Set(report.lost)
            #expect(lost.isSubset(of: headers.union(headers.map { $0 - 1 })), said)
            #expect(lost.count > headers.count / 2, said)
            #expect(report.foreign == 0 && report.duplicated.isEmpty && report.disorders == 0, said)
            #expect(try #require(report.last) >= 3_950 && outcome.heard.gaps.isEmpty, said)
            #expect(outcome.snapshot.reconnects == (withCuts ? 3 : 0), said)
            // With cuts, more bytes are skipped than the lost frames have: the burst of each new connection repeats
            // damaged bytes, and each cut leaves half a frame.
            let bytes = lost.reduce(0) { $0 + sent.byteRange(of: $1..<$1 + 1).count }
            let skipped = outcome.snapshot.skipped.map(\.bytes).reduce(0, +)
            #expect(withCuts ? skipped >= bytes : skipped == bytes, said)
            let damage = outcome.snapshot.damage
            #expect(withCuts ? damage.bytes >= bytes : damage.bytes == bytes, said)
            #expect(withCuts || (1...lost.count).contains(Int(damage.places)), said)
        }
    }

    @Test("B6: Frames with wrong checksums are counted and delivered unchanged")
    func checksums() async throws {
        var random = SplitMix64(seed: 6)
        let frames = (0..<60).map { number in
            // The frames have 128 kbit/s, the side information of silence, and its checksum. Every fourth frame has a
            // wrong bit.
            var head: [UInt8] = [0xFF, 0xFA, 0x90, 0x00, 0xC0, 0x5C] + [UInt8](repeating: 0, count: 32)
            if number % 4 == 1 { head[4 + number / 4] ^= 0x10 }
            return head + random.bytes(417 - head.count).map { $0 == 0xFF ? 0x7F : $0 }
        }
        let sent = frames.flatMap(\.self)
        let origin = try ScriptedOrigin([.request, .icyHead(), .send(sent), .stall(Gate())])
        let heard = try await StationRig.listen(to: origin.url()) { $0.frames >= 59 }
        #expect(sent.starts(with: heard.audio))
        #expect(heard.snapshot?.wrongChecksums == 15 && heard.snapshot?.skipped == [])
    }
}
