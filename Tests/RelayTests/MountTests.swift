// SPDX-License-Identifier: MIT

import HTTPServer
import RadioFormats
import Relay
import Stations
import TestSupport
import Testing

@Suite struct MountTests {
    @Test("A listener gets a burst of whole frames, and then every frame once") func burstThenFrames() throws {
        let rig = try RelayRig(running: 10)
        let client = rig.listen()
        client.collect()
        let burst = try #require(rig.frameNumbers(client.body))
        #expect((153...200).contains(burst.count))
        rig.run(20) { client.collect() }
        let numbers = try #require(rig.frameNumbers(client.body))
        #expect(numbers == Array(burst[0]..<(burst[0] + numbers.count)))
        // Audio that was not sent yet is at most a flush interval old.
        #expect(rig.frames - (numbers.last ?? 0) <= 45)
    }

    @Test("Writes to a listener are gathered into its flush interval") func flushInterval() throws {
        let rig = try RelayRig(running: 5)
        let client = rig.listen()
        client.collect()
        var deliveries = 0
        rig.run(10) {
            let before = client.received.count
            client.collect()
            if client.received.count > before { deliveries += 1 }
        }
        #expect((9...11).contains(deliveries))
        rig.close()
    }

    @Test("The answer has the fields that the upstream sent") func stationFields() throws {
        let rig = try RelayRig(running: 1)
        let client = rig.listen()
        client.collect()
        let head = String(client.text.prefix { $0 != "\u{0}" })
        #expect(head.hasPrefix("HTTP/1.0 200 OK\r\n"))
        for field in [
            "Content-Type: audio/mpeg", "icy-name: Test  X: y", "icy-genre: Jazz", "icy-br: 128", "Connection: close",
        ] {
            #expect(head.contains("\r\n\(field)\r\n"), "\(field)")
        }
        for name in ["icy-metaint", "Content-Length", "Transfer-Encoding"] { #expect(!head.contains("\n\(name):")) }
        #expect(head.contains("\r\nAccess-Control-Expose-Headers: icy-metaint, icy-name,"))
        rig.close()
    }

    @Test("HEAD is answered like GET, without audio") func headRequest() throws {
        let rig = try RelayRig(running: 2)
        let client = rig.ask("HEAD /live HTTP/1.1\r\nHost: x\r\nIcy-MetaData: 1\r\n\r\n")
        #expect(client.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(client.text.contains("\r\nicy-metaint: 16000\r\n"))
        #expect(!client.text.contains("Content-Length") && client.body.isEmpty)
    }

    @Test("Metadata blocks come at their interval, and titles at their frame") func metadata() throws {
        let rig = try RelayRig { $0.metadataInterval = 1000 }
        rig.hub.setTitle("One")
        rig.run(10)
        let client = rig.listen("Icy-MetaData: 1\r\n")
        var starts: [(title: String, byte: Int)] = []
        for title in ["Two", "It's 'here'; now", "Drei – ü"] {
            rig.run(2) { client.collect() }
            starts.append((title, rig.source.count))
            rig.hub.setTitle(title)
        }
        rig.run(3) { client.collect() }
        #expect(client.text.contains("\r\nicy-metaint: 1000\r\n"))
        let (audio, all) = ICYSplit.split(client.body, interval: 1000)
        let whole = audio.prefix(audio.count / RelayRig.frameSize * RelayRig.frameSize)
        let numbers = try #require(rig.frameNumbers(Array(whole)))
        #expect(numbers == Array(numbers[0]..<(numbers[0] + numbers.count)))
        let blocks = all.titled
        #expect(blocks.first?.title == "One" && blocks.count == 4)
        for (block, start) in zip(blocks.dropFirst(), starts) {
            #expect(block.title == start.title.replacing("';", with: "’;"))
            // The block is the first one after which no frame of the old title starts.
            let place = numbers[0] * RelayRig.frameSize + block.offset
            let nextFrame = (place + RelayRig.frameSize - 1) / RelayRig.frameSize * RelayRig.frameSize
            #expect(nextFrame >= start.byte && nextFrame - start.byte < 1000 + RelayRig.frameSize)
        }
    }

    @Test("A mount without audio is unavailable, and other paths and methods are refused") func beforeAudio() throws {
        let rig = try RelayRig(format: nil)
        let early = rig.ask("GET /live HTTP/1.0\r\n\r\n")
        #expect(early.text.hasPrefix("HTTP/1.0 503 ") && early.text.contains("Retry-After: 2\r\n"))
        #expect(rig.ask("GET /other HTTP/1.0\r\n\r\n").text.hasPrefix("HTTP/1.0 404 "))
        #expect(rig.ask("POST /live HTTP/1.0\r\n\r\n").text.hasPrefix("HTTP/1.0 405 "))
        rig.close()
        #expect(rig.mount.listenerCount == 0)
    }

    @Test("Listeners beyond the limit are refused") func listenerLimit() throws {
        let rig = try RelayRig(running: 2) { $0.listeners = 1 }
        let first = rig.listen()
        #expect(rig.ask("GET /live HTTP/1.0\r\n\r\n").text.hasPrefix("HTTP/1.0 503 "))
        first.reset()
        rig.reactor.pump { rig.mount.listenerCount == 0 }
        let second = rig.listen()
        #expect(second.collect().text.hasPrefix("HTTP/1.0 200 "))
        rig.close()
    }

    @Test("A listener that is too slow skips audio, and the others lose nothing") func slowListener() throws {
        let rig = try RelayRig(running: 10)
        let slow = rig.listen(receiveBuffer: 4096)
        let quick = rig.listen()
        rig.run(60) { quick.collect() }
        let skips = try #require(rig.mount.listeners().map(\.skips).max())
        #expect((1...3).contains(skips))
        let kept = try #require(rig.frameNumbers(quick.body))
        #expect(kept == Array(kept[0]..<(kept[0] + kept.count)))
        rig.run(20) {
            quick.collect()
            slow.collect()
        }
        let whole = slow.body.count / RelayRig.frameSize * RelayRig.frameSize
        let numbers = try #require(rig.frameNumbers(Array(slow.body.prefix(whole))))
        let breaks = zip(numbers, numbers.dropFirst()).filter { $1 != $0 + 1 }
        #expect(breaks.count == skips)
        #expect(rig.frames - (numbers.last ?? 0) <= 45 && rig.mount.listenerCount == 2)
    }

    @Test(
        "A listener that is too slow skips and is not closed, even if audio comes in large lumps", arguments: [4, 16])
    func skipsAmongLumps(seconds: Int) throws {
        let rig = try RelayRig()
        rig.lump(eighths: seconds * 8)
        let slow = rig.listen(receiveBuffer: 4096)
        for _ in 0..<(64 / seconds) {
            rig.wait(seconds)
            rig.lump(eighths: seconds * 8)
        }
        #expect(rig.mount.listenerCount == 1 && rig.mount.snapshot.skips >= 1)
        rig.run(5) { slow.collect() }
        let whole = slow.body.count / RelayRig.frameSize * RelayRig.frameSize
        let numbers = try #require(rig.heard(Array(slow.body.prefix(whole)))).numbers
        #expect(rig.frames - (numbers.last ?? 0) <= 45)
    }

    @Test("A listener that takes nothing for too long is closed") func deadListener() throws {
        let rig = try RelayRig(running: 5)
        let dead = rig.listen(receiveBuffer: 4096)
        // The kernel may still accept a little now and then.
        for _ in 0..<10 where rig.mount.listenerCount > 0 { rig.run(100) }
        #expect(rig.mount.listenerCount == 0 && rig.service.connectionCount == 0)
        _ = dead
    }

    @Test("Listeners end at the frame where the codec changes") func codecChange() throws {
        let rig = try RelayRig(running: 5)
        let client = rig.listen()
        rig.run(2) { client.collect() }
        let last = rig.frames - 1
        rig.hub.begin(StreamFormat(codec: .aac, mpegVersion: .mpeg4, sampleRate: 44100, channels: 2, profile: 1))
        rig.run(2) { client.collect() }
        #expect(client.end == .closed)
        #expect(rig.frameNumbers(client.body)?.last == last)
        let next = rig.listen()
        rig.run(1) { next.collect() }
        #expect(next.text.contains("\r\nContent-Type: audio/aac\r\n"))
        #expect(rig.frameNumbers(next.body)?.first == last + 1)
    }

    @Test(
        "A codec in another container ends listeners at the last frame, in both directions", arguments: [true, false])
    func container(intoOgg: Bool) throws {
        let rig = try RelayRig(format: nil)
        let opus = StreamFormat(
            codec: .opus, sampleRate: 48_000, channels: 2, headerPackets: [OpusHead.identification, OpusHead.comments])
        rig.hub.begin(intoOgg ? RelayRig.mp3 : opus)
        rig.run(60)
        let client = rig.listen()
        rig.run(1) { client.collect() }
        let last = rig.frames - 1
        rig.hub.begin(intoOgg ? opus : RelayRig.mp3)
        rig.run(1) { client.collect() }
        rig.reactor.pump { client.collect().end != nil }
        #expect(client.end == .closed && rig.mount.listenerCount == 0)
        if intoOgg { #expect(rig.frameNumbers(client.body)?.last == last) }
        rig.run(5)
        let next = rig.listen()
        rig.run(1) { next.collect() }
        #expect(next.text.contains("Content-Type: \(intoOgg ? "audio/ogg" : "audio/mpeg")\r\n"))
        #expect(intoOgg ? next.body.starts(with: Array("OggS".utf8)) : rig.frameNumbers(next.body) != nil)
    }

    @Test(
        "F26: Players end at the frame where the sample rate or the number of channels changes; recorders continue",
        arguments: [(48_000, 2), (44_100, 1)])
    func kindChange(sampleRate: Int, channels: Int) throws {
        let rig = try RelayRig(running: 5)
        let players = [rig.listen(), rig.listen("User-Agent: Mozilla/5.0\r\n")]
        let recorder = rig.listen("\(FillerField.name): none\r\n")
        rig.run(2) { players.forEach { $0.collect() } }
        let last = rig.frames - 1
        var other = RelayRig.mp3
        (other.sampleRate, other.channels) = (sampleRate, channels)
        rig.hub.begin(other)
        rig.run(3) { (players + [recorder]).forEach { $0.collect() } }
        for player in players {
            #expect(player.end == .closed)
            #expect(rig.frameNumbers(player.body)?.last == last)
        }
        let numbers = try #require(rig.frameNumbers(recorder.body))
        #expect(numbers.isUnbroken && recorder.end == nil && rig.frames - (numbers.last ?? 0) <= 45)
        // A player that connects again gets only audio of the new kind.
        let next = rig.listen()
        rig.run(1) { next.collect() }
        #expect(rig.frameNumbers(next.body)?.first == last + 1 && next.end == nil)
    }

    @Test("Listeners get the last frame when the station ends") func lastFrame() throws {
        let rig = try RelayRig(running: 5)
        let client = rig.listen()
        rig.run(1) { client.collect() }
        rig.hub.end(nil)
        rig.wait(1) { client.collect() }
        rig.reactor.pump { client.collect().end != nil }
        #expect(client.end == .closed)
        #expect(rig.frameNumbers(client.body)?.last == rig.frames - 1 && rig.mount.listenerCount == 0)
    }

    @Test("A listener that closes only its sending side is kept") func halfClosed() throws {
        let rig = try RelayRig(running: 5)
        let client = rig.listen()
        client.finishSending()
        rig.run(5) { client.collect() }
        #expect(client.end == nil)
        #expect(rig.frames - (rig.frameNumbers(client.body)?.last ?? 0) <= 45)
        client.close()
        rig.run(3)
        rig.reactor.pump { rig.mount.listenerCount == 0 }
        #expect(rig.mount.listenerCount == 0)
    }

    @Test("A lump longer than a flush and the largest lag arrives complete")
    func longLump() throws {
        let rig = try RelayRig(running: 5)
        let clients = (0..<3).map { _ in rig.listen(receiveBuffer: 8192) }
        // These frames play 47 s and take 750 kB.
        rig.play(1800)
        rig.run(20) { clients.forEach { $0.collect() } }
        for client in clients {
            let numbers = try #require(rig.frameNumbers(client.body))
            #expect(numbers.isUnbroken && numbers.count > 1800)
        }
        #expect(rig.mount.listeners().map(\.skips) == [0, 0, 0])
    }

    @Test("A source that delivers much at once overruns no listener") func muchAtOnce() throws {
        let rig = try RelayRig(running: 5)
        let clients = (0..<3).map { _ in rig.listen() }
        rig.play(500)
        rig.run(5) { clients.forEach { $0.collect() } }
        for client in clients {
            let numbers = try #require(rig.frameNumbers(client.body))
            #expect(numbers == Array(numbers[0]..<(numbers[0] + numbers.count)))
        }
    }
}

/// The headers of an Opus stream (RFC 7845, section 5).
enum OpusHead {
    static let identification: [UInt8] =
        Array("OpusHead".utf8) + [1, 2, 0, 0] + [0x80, 0xBB, 0, 0] + [0, 0, 0]
    static let comments: [UInt8] = Array("OpusTags".utf8) + [0, 0, 0, 0] + [0, 0, 0, 0]
}
