// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import Testing

struct BroadcastTests {
    @Test(
        "A synthetic programme has frames of the right length and number, all different",
        arguments: [
            MPEGShape(32, isMono: true), MPEGShape(128), MPEGShape(128, sampleRate: 48_000), MPEGShape(192),
            MPEGShape(320, sampleRate: 32_000), MPEGShape(128, isVariable: true),
            MPEGShape(32, sampleRate: 22_050, isMono: true), MPEGShape(144, sampleRate: 24_000),
        ])
    func synthetic(shape: MPEGShape) throws {
        let programme = Broadcast([.music(.seconds(20))], shape)
        let checker = try FrameChecker(source: programme.bytes, container: .mpegAudio)
        #expect(checker.frames == programme.frames.map(\.bytes))
        #expect(programme.length >= .seconds(20) && programme.length < .milliseconds(20_040))
        if !shape.isVariable {
            // Padding keeps the rate exact to the byte.
            let samples = shape.sampleRate < 32_000 ? 576 : 1152
            let seconds = Double(programme.frames.count * samples) / Double(shape.sampleRate)
            #expect(abs(Double(programme.bytes.count) - seconds * Double(shape.bitRate) * 125) < 1)
        } else {
            #expect(Set(programme.frames.map(\.bytes.count)).count > 5)
        }
    }

    @Test("Equal arguments give equal bytes, and another seed gives other bytes of the same lengths")
    func seeds() {
        let parts = [Broadcast.Part.music(.seconds(3))]
        let (one, same, other) = (Broadcast(parts), Broadcast(parts), Broadcast(parts, seed: 2))
        #expect(one.bytes == same.bytes && one.bytes != other.bytes)
        #expect(one.frames.map(\.bytes.count) == other.frames.map(\.bytes.count))
    }

    @Test("Silence repeats one frame at 48 kHz and two at 44.1 kHz, a jingle repeats its bytes, and formats change")
    func parts() {
        let steady = Broadcast([.silence(.seconds(10))], MPEGShape(sampleRate: 48_000))
        #expect(Set(steady.frames.map { Array($0.bytes) }).count == 1)
        #expect(Set(Broadcast([.silence(.seconds(10))]).frames.map { Array($0.bytes) }).count == 2)
        let jingle = Broadcast([.jingle(.seconds(1), times: 3)])
        #expect(jingle.frames.count == 39 * 3 && jingle.frames[5].bytes == jingle.frames[44].bytes)
        #expect(jingle.frames[5].bytes != jingle.frames[6].bytes)
        let changing = Broadcast([.music(.seconds(1)), .format(MPEGShape(sampleRate: 48_000)), .music(.seconds(1))])
        #expect(changing.frames.count == 39 + 42)
        #expect(changing.frames[38].length == .samples(1152, at: 44_100))
        #expect(changing.frames[39].length == .milliseconds(24))
        #expect(changing.frames[39].bytes.dropFirst(2).first == 0x94)
    }

    @Test("A frame's bytes are on air at the end of the frame, and not before")
    func edge() throws {
        let programme = Broadcast([.music(.seconds(10))], MPEGShape(sampleRate: 48_000))
        #expect(programme.edge(at: .milliseconds(23)) == 0)
        #expect(programme.edge(at: .milliseconds(24)) == 384)
        #expect(programme.edge(at: .milliseconds(47)) == 384)
        #expect(programme.edge(at: .seconds(100)) == programme.bytes.count)
        #expect(programme.time(ofEdge: 1) == .milliseconds(24))
        #expect(programme.time(ofEdge: 384) == .milliseconds(24))
        #expect(programme.time(ofEdge: 385) == .milliseconds(48))
        #expect(programme.time(ofEdge: programme.bytes.count + 1) == nil)
        #expect(programme.framesAired(at: .milliseconds(240)) == 10)
        #expect([0, 383, 384, 768].map(programme.place) == [0, 0, 1, 2])
        #expect(programme.byteRange(of: 1..<3) == 384..<1152)
    }

    @Test(
        "A programme encoded by ffmpeg goes on air with its own times",
        arguments: [
            ReferenceProgramme.Parameters(.mp3(128), seconds: 5), .init(.mp2(192), seconds: 5),
            .init(.aac(96), seconds: 5),
            .init(.opus(96), sampleRate: 48_000, seconds: 5), .init(.vorbis(96), seconds: 5), .init(.flac, seconds: 5),
        ])
    func reference(parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try Broadcast(await ReferenceProgramme.make(parameters))
        let checker = FrameChecker(programme)
        #expect(checker.check(programme.bytes).exactStretch == 0...(programme.frames.count - 1))
        #expect(abs(programme.length.inSeconds - 5) < 0.2, "\(programme.length)")
        let last = try #require(programme.frames.last)
        #expect(abs((last.start + last.length - programme.length).inSeconds) < 0.001)
        #expect(zip(programme.frames, programme.frames.dropFirst()).allSatisfy { $0.start <= $1.start })
    }
}
