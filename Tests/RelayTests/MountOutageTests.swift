// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Relay
import Stations
import TestSupport
import Testing

/// What listeners hear while the station is down, and when it is back.
@Suite struct MountOutageTests {
    /// Frames per second, as ``RelayRig/run(_:_:)`` plays them.
    private static let framesASecond = 40

    @Test("A1, A2: An outage shorter than the cushion is inaudible: every frame comes once, without silence")
    func short() throws {
        let rig = try RelayRig(running: 10)
        let client = rig.listen()
        rig.run(5) { client.collect() }
        for _ in 0..<10 {
            rig.wait(2) { client.collect() }
            // After a splice, all audio since the outage began arrives at once.
            rig.play(2 * Self.framesASecond)
            rig.run(6) { client.collect() }
        }
        let heard = try #require(rig.heard(client.body))
        #expect(heard.numbers.isUnbroken && heard.silent == 0)
        #expect(rig.frames - (heard.numbers.last ?? 0) <= 45)
    }

    @Test("F27: The silence of AAC has the bit rate of the station, so that a player that counts bytes plays on")
    func rateOfSilence() throws {
        let format = StreamFormat(codec: .aac, mpegVersion: .mpeg4, sampleRate: 44_100, channels: 2, profile: 1)
        let rig = try RelayRig(format: format)
        // 372 bytes: 128 kbit/s.
        let frame: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x9F, 0xFC] + Array(repeating: 0x11, count: 365)
        func play() {
            for _ in 0..<5 { frame.withUnsafeBytes { rig.hub.append($0, samples: 1024, backReference: 0) } }
            rig.hub.flush()
            rig.wait(eighths: 1)
        }
        for _ in 0..<80 { play() }
        let client = rig.listen()
        for _ in 0..<8 { play() }
        rig.wait(10) { client.collect() }
        let before = client.body.count
        rig.wait(10) { client.collect() }
        let rate = (client.body.count - before) * 8 / 10
        #expect((115_000...141_000).contains(rate), "\(rate)")
    }

    @Test("A2: In a longer outage the listener never runs dry, and continues at the same frame after a splice")
    func long() throws {
        let rig = try RelayRig(running: 10)
        let client = rig.listen()
        rig.run(5) { client.collect() }
        let before = rig.reactor.now
        var least = Duration.seconds(100)
        let audio = { Self.audio(client.body) }
        // The client's cushion is the audio that it was sent beyond the time since it joined.
        let joined = before - .seconds(5)
        rig.wait(15) {
            client.collect()
            least = min(least, audio() - (rig.reactor.now - joined))
        }
        #expect(least > .zero, "\(least)")
        rig.play(15 * Self.framesASecond)
        rig.run(5) { client.collect() }
        let heard = try #require(rig.heard(client.body))
        #expect(heard.numbers.isUnbroken && heard.stretches == 1)
        // 15 s have no audio, and the cushion covers 4 s of them. The silence is never much longer than the missing
        // audio.
        let silence = RelayRig.frameDuration * heard.silent
        #expect(silence > .seconds(11) && silence < .seconds(13.5), "\(silence)")
        #expect(rig.frames - (heard.numbers.last ?? 0) <= 45)
    }

    @Test(
        "A3: After a gap a listener continues at the live edge, without the whole burst of the new connection",
        arguments: [30, 45, 120])
    func gap(seconds: Int) throws {
        let rig = try RelayRig(running: 10)
        let client = rig.listen()
        rig.wait(20) { client.collect() }
        let last = rig.frames - 1
        rig.gap()
        rig.play(seconds * Self.framesASecond)
        rig.run(5) { client.collect() }
        let heard = try #require(rig.heard(client.body))
        let breaks = zip(heard.numbers, heard.numbers.dropFirst()).filter { $1 != $0 + 1 }
        let jump = try #require(breaks.first)
        #expect(breaks.count == 1 && jump.0 == last)
        // About a burst of the new audio is sent, less what arrived before the listener's turn.
        let kept = last + 1 + seconds * Self.framesASecond - jump.1
        #expect((110...200).contains(kept), "\(kept)")
        #expect(rig.frames - (heard.numbers.last ?? 0) <= 45)
    }

    @Test("A3: Audio after a gap is not skipped if it is no longer than a burst")
    func shortGap() throws {
        let rig = try RelayRig(running: 10)
        let client = rig.listen()
        rig.wait(10) { client.collect() }
        rig.gap()
        rig.play(2 * Self.framesASecond)
        rig.run(5) { client.collect() }
        #expect(rig.heard(client.body)?.numbers.isUnbroken == true)
    }

    @Test("B20: A gap within one connection is no break for listeners, who get all audio after it")
    func hole() throws {
        let rig = try RelayRig(running: 10)
        let client = rig.listen()
        rig.wait(20) { client.collect() }
        rig.hub.report(.gap(.inside(at: WallInstant(nanoseconds: 0), length: .seconds(5))))
        rig.play(45 * Self.framesASecond)
        rig.run(5) { client.collect() }
        #expect(rig.heard(client.body)?.numbers.isUnbroken == true)
    }

    @Test("F7: Listeners are kept for the configured time, and no longer")
    func limit() throws {
        let rig = try RelayRig(running: 10) { $0.longestOutage = .seconds(300) }
        let client = rig.listen()
        rig.wait(295) { client.collect() }
        #expect(client.end == nil)
        rig.wait(10) { client.collect() }
        #expect(client.end == .closed)
        #expect(rig.heard(client.body)?.numbers.last == rig.frames - 1)
        // New listeners are refused until there is audio again.
        #expect(rig.ask("GET /live HTTP/1.0\r\n\r\n").text.hasPrefix("HTTP/1.0 503 "))
        rig.run(1)
        let next = rig.listen()
        #expect(next.collect().text.hasPrefix("HTTP/1.0 200 "))
        rig.close()
    }

    @Test("F7: A limit of less than a minute applies, also to a listener that takes nothing")
    func shortLimit() throws {
        let rig = try RelayRig(running: 10) { $0.longestOutage = .seconds(20) }
        let client = rig.listen()
        _ = rig.listen(receiveBuffer: 4096)
        rig.wait(19) { client.collect() }
        #expect(client.end == nil)
        rig.wait(4) { client.collect() }
        #expect(client.end == .closed && rig.mount.listenerCount == 0)
    }

    @Test("A listener that takes nothing is closed after its time, also during an outage")
    func dead() throws {
        let rig = try RelayRig(running: 30)
        _ = rig.listen(receiveBuffer: 4096)
        // This is long enough to fill the client's socket, so that the kernel accepts no more.
        rig.run(25)
        rig.wait(100)
        #expect(rig.mount.listenerCount == 0)
    }

    @Test("F7: Many listeners are kept through five minutes, and all continue at the same frame")
    func many() throws {
        let rig = try RelayRig(running: 10)
        let clients = (0..<50).map { _ in rig.listen() }
        let collect = { for client in clients { client.collect() } }
        for _ in 0..<75 {
            rig.wait(4)
            collect()
        }
        rig.play(5 * Self.framesASecond)
        rig.run(3)
        collect()
        #expect(rig.mount.listenerCount == 50)
        for client in clients {
            let heard = try #require(rig.heard(client.body))
            #expect(heard.numbers.isUnbroken && heard.stretches == 1)
            #expect(rig.frames - (heard.numbers.last ?? 0) <= 45)
        }
    }

    /// Another relay sends a little more than a second at once; 64 KiB of 128 kbit/s are four seconds.
    @Test(
        "A station that sends in lumps is not taken for down, however little audio a listener has buffered",
        arguments: [9, 20, 30, 33], ["", "?burst=2", "?burst=1", "?burst=0"])
    func lumps(eighths: Int, query: String) throws {
        let rig = try RelayRig()
        for _ in 0..<10 {
            rig.lump(eighths: eighths)
            rig.wait(eighths: eighths)
        }
        rig.lump(eighths: eighths)
        let client = rig.listen(query: query)
        for _ in 0..<20 {
            rig.wait(eighths: eighths) { client.collect() }
            rig.lump(eighths: eighths)
        }
        let heard = try #require(rig.heard(client.body))
        #expect(heard.silent == 0 && heard.numbers.isUnbroken)
    }

    @Test("A listener that is there when the station comes up gets no silence either", arguments: [9, 20, 30, 33])
    func firstLumps(eighths: Int) throws {
        let rig = try RelayRig()
        rig.lump(eighths: eighths)
        let client = rig.listen()
        for _ in 0..<10 {
            rig.wait(eighths: eighths) { client.collect() }
            rig.lump(eighths: eighths)
        }
        let heard = try #require(rig.heard(client.body))
        #expect(heard.silent == 0 && heard.numbers.isUnbroken)
    }

    @Test("Silence has metadata blocks in the same places as audio")
    func metadata() throws {
        let rig = try RelayRig(running: 10) { $0.metadataInterval = 1000 }
        rig.hub.setTitle("One")
        let client = rig.listen("Icy-MetaData: 1\r\n")
        rig.wait(12) { client.collect() }
        rig.play(12 * Self.framesASecond)
        rig.run(5) { client.collect() }
        let (audio, blocks) = ICYSplit.split(client.body, interval: 1000)
        let whole = Array(audio.prefix(audio.count / RelayRig.frameSize * RelayRig.frameSize))
        let heard = try #require(rig.heard(whole))
        #expect(heard.numbers.isUnbroken && heard.silent > 300)
        #expect(blocks.titled.map(\.title) == ["One"])
    }

    /// The length of the audio in a body, including silence.
    private static func audio(_ bytes: [UInt8]) -> Duration {
        RelayRig.frameDuration * (bytes.count / RelayRig.frameSize)
    }
}
