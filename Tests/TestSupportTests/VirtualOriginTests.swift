// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import EventLoopTesting
import Instants
import TestSupport
import Testing

struct VirtualOriginTests {
    /// At 48 kHz a frame of 128 kbit/s has 384 bytes and plays 24 ms.
    static let programme = Broadcast([.music(.seconds(120))], MPEGShape(sampleRate: 48_000))

    @Test("A burst comes at once and ends at the live edge, and the rest comes in blocks as it airs")
    func burst() throws {
        let rig = VirtualRig(LiveStream(Self.programme, burst: 64 * 1024))
        let download = rig.download(for: .zero)
        let edge = Self.programme.edge(at: .seconds(40)) / 1400 * 1400
        #expect(download.body == Array(Self.programme.bytes[(edge - 65_536)..<edge]))
        #expect(download.phases == [.resolving, .connecting, .waitingForHead, .receiving])
        #expect(download.head?["content-type"] == "audio/mpeg" && download.head?["icy-metaint"] == nil)
        let began = rig.reactor.now
        rig.reactor.advance(by: .seconds(60))
        #expect(download.body.count == 65_536 + Self.programme.edge(at: .seconds(100)) / 1400 * 1400 - edge)
        let live = download.deliveries.filter { $0.at > began }
        #expect(live.count > 600 && live.allSatisfy { $0.count == 1400 })
        #expect(!download.hasEnded)
        rig.reactor.advance(by: .seconds(60))
        #expect(download.hasEnded && download.error == nil)
        #expect(Self.programme.bytes[(edge - 65_536)...].elementsEqual(download.body))
    }

    @Test("No call is made within start, and none after cancel")
    func confinement() {
        let rig = VirtualRig(LiveStream(Self.programme))
        let download = Download(on: rig.reactor)
        let transfer = rig.origin.start(TransferRequest(url: "http://a/"), delegate: download)
        #expect(download.phases.isEmpty)
        rig.reactor.settle()
        #expect(!download.body.isEmpty)
        let count = download.body.count
        transfer.cancel()
        rig.reactor.advance(by: .seconds(10))
        #expect(download.body.count == count && !download.hasEnded)
        #expect(rig.origin.transfersUnderWay == 0 && rig.origin.log.open == 0)
    }

    @Test("A delegate that cancels within a delivery gets no more calls")
    func cancelInside() {
        let rig = VirtualRig(LiveStream(Self.programme))
        let download = Download(on: rig.reactor)
        download.meddle = { $0.cancel() }
        _ = rig.origin.start(TransferRequest(url: "http://a/"), delegate: download)
        rig.reactor.advance(by: .seconds(10))
        #expect(download.deliveries.count == 1 && !download.hasEnded)
    }

    @Test("Bytes below the low-water mark wait for more bytes, a lower mark or the end")
    func gathering() throws {
        let rig = VirtualRig(LiveStream(Self.programme, burst: 0, faults: [.at(.seconds(5), .close)]))
        let download = Download(on: rig.reactor)
        let transfer = rig.origin.start(TransferRequest(url: "http://a/"), delegate: download)
        rig.reactor.settle()
        transfer.gather(8_000, isCoalesced: false)
        rig.reactor.advance(by: .milliseconds(510))
        #expect(download.body.count == 8_400)
        rig.reactor.advance(by: .milliseconds(200))
        #expect(download.body.count == 8_400)
        transfer.gather(1, isCoalesced: false)
        #expect(download.body.count == 8_400)
        rig.reactor.settle()
        #expect(download.body.count == 12_600)
        transfer.gather(1_000_000, isCoalesced: false)
        rig.reactor.advance(by: .seconds(5))
        #expect(download.hasEnded && download.body.count > 78_000)
    }

    @Test("A paused transfer delivers nothing, not even its end, and delivers all of it after resuming")
    func pausing() {
        let rig = VirtualRig(LiveStream(Self.programme, burst: 20_000, faults: [.at(.seconds(5), .close)]))
        let download = Download(on: rig.reactor)
        download.meddle = { if download.deliveries.count == 3 { $0.pause() } }
        let transfer = rig.origin.start(TransferRequest(url: "http://a/"), delegate: download)
        rig.reactor.advance(by: .seconds(10))
        #expect(download.body.count == 4_200 && !download.hasEnded)
        transfer.resume()
        #expect(download.body.count == 4_200)
        rig.reactor.settle()
        #expect(download.hasEnded && download.body.count >= 20_000)
    }

    @Test("Cuts are at the places in the script", arguments: [LiveFault.Effect.close, .reset])
    func cuts(effect: LiveFault.Effect) throws {
        let at = VirtualRig(LiveStream(Self.programme, faults: [.at(.seconds(8), effect)]))
        let atTime = at.download(for: .seconds(20))
        #expect(atTime.error?.code == (effect == .reset ? .dropped : nil))
        #expect(at.origin.log.faults.map(\.at) == [at.reactor.now - .seconds(12)])
        #expect(at.origin.log.faults.map(\.effect) == [effect])

        let bytes = VirtualRig(LiveStream(Self.programme, faults: [.afterBytes(100_001, effect)]))
        #expect(bytes.download(for: .seconds(20)).body.count == 100_001)

        let begin = Self.programme.edge(at: .seconds(40)) / 1400 * 1400 - 65_536
        let frame = VirtualRig(LiveStream(Self.programme, faults: [.inFrame(after: .seconds(8), effect)]))
        let inFrame = frame.download(for: .seconds(20))
        #expect(inFrame.hasEnded && (begin + inFrame.body.count) % 384 == 192)
        let place = try #require(frame.origin.log.faults.first?.place)
        #expect(place == (begin + inFrame.body.count) / 384)
        #expect(abs(place - Self.programme.framesAired(at: .seconds(48))) < 6)

        let stream = LiveStream(
            Self.programme.title("Song", from: 0), interval: 16_000, faults: [.inMetadata(after: .seconds(8), effect)])
        let metadata = VirtualRig(stream).download(for: .seconds(20), metadata: true)
        #expect(metadata.hasEnded && metadata.body.last != 0)
        let block = ICYBody.block("StreamTitle='Song';")
        #expect(metadata.body.suffix(17) == block.prefix(17))
    }

    @Test("A stalled connection stays open and silent, and delivers what aired meanwhile after the stall")
    func stalls() {
        let stream = LiveStream(
            Self.programme, burst: 0, faults: [.at(.seconds(2), .stall), .at(.seconds(5), .resume)])
        let download = VirtualRig(stream).download(for: .seconds(10))
        let pause = zip(download.deliveries, download.deliveries.dropFirst()).map { $1.at - $0.at }.max()
        #expect(pause.map { $0 > .milliseconds(2_900) && $0 < .milliseconds(3_200) } == true)
        #expect(!download.hasEnded && download.body.count > 9 * 16_000)
        let forever = VirtualRig(LiveStream(Self.programme, burst: 0, faults: [.at(.seconds(2), .stall)]))
        #expect(forever.download(for: .seconds(200)).body.count <= 2 * 16_000 + 1_400)
    }

    @Test("A trickle has its rate, and a stream may consist of metadata only")
    func trickles() {
        let slow = VirtualRig(LiveStream(Self.programme, burst: 0, faults: [.at(.seconds(2), .trickle(10))]))
        let before = slow.download(for: .seconds(2)).body.count
        let trickle = VirtualRig(LiveStream(Self.programme, burst: 0, faults: [.at(.seconds(2), .trickle(10))]))
            .download(for: .seconds(12)).body.count
        #expect((95...101).contains(trickle - before))

        let stream = LiveStream(
            Self.programme, burst: 0, interval: 1_000, faults: [.at(.seconds(2), .metadataOnly(100))])
        let flood = VirtualRig(stream).download(for: .seconds(30), metadata: true)
        let text = flood.body.suffix(2_000)
        #expect(text.allSatisfy { $0 == UInt8(ascii: "x") })
    }

    @Test("Metadata is sent on request, first the present title and then each change")
    func metadata() throws {
        let programme = Self.programme.title("One", from: 0).title("Two", from: 1_800)
        let stream = LiveStream(programme, burst: 16_000, interval: 8_000)
        let download = VirtualRig(stream).download(for: .seconds(10), metadata: true)
        #expect(download.head?["icy-metaint"] == "8000")
        let one = ICYBody.block("StreamTitle='One';")
        let two = ICYBody.block("StreamTitle='Two';")
        let begin = programme.edge(at: .seconds(40)) / 1400 * 1400 - 16_000
        var expected: [UInt8] = []
        var (offset, isSecond) = (begin, false)
        while expected.count < download.body.count {
            expected += programme.bytes[offset..<(offset + 8_000)]
            offset += 8_000
            if !isSecond, offset >= 1_800 * 384 {
                isSecond = true
                expected += two
            } else {
                expected += offset == begin + 8_000 ? one : [0]
            }
        }
        #expect(isSecond)
        #expect(expected.starts(with: download.body))
        #expect(VirtualRig(stream).download(for: .seconds(1)).head?["icy-metaint"] == nil)
    }

    @Test("Bytes and lengths are flipped at the places in the script, and nowhere else")
    func damage() throws {
        let begin = Self.programme.edge(at: .seconds(40)) / 1400 * 1400
        let damaged = Self.programme.damaged([begin + 10: 0xFF, begin + 3_999: 1, begin - 1: 1])
        var stream = LiveStream(damaged, burst: 0, interval: 4_000)
        stream.lengthFlips = [1: 0x40]
        let body = VirtualRig(stream).download(for: .seconds(2), metadata: true).body
        var expected = Array(Self.programme.bytes[begin..<(begin + 4_000)]) + [0]
        expected += Self.programme.bytes[(begin + 4_000)..<(begin + 8_000)] + [0x40]
        expected[10] ^= 0xFF
        expected[3_999] ^= 1
        #expect(body.starts(with: expected))
    }
}
