// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import RadioFormats
import Testing

@testable import TestSupport

/// What random stations do, and how it is noted.
struct ChanceStationTests {
    private static let programme = VirtualOriginTests.programme

    @Test("The same seed yields the same station, and other seeds other ones") func seeds() throws {
        let stations = try [1, 1, 2, 3].map { try ChanceStation(seed: $0) }
        #expect(stations[0].description == stations[1].description)
        #expect(Set(stations.map(\.description)).count == 3)
        #expect(stations.allSatisfy { !$0.urls.isEmpty && $0.scripts().count == $0.urls.count })
    }

    @Test("A server that sends in ticks sends whole frames at each tick, and nothing between") func ticks() {
        var stream = LiveStream(Self.programme, burst: 0, block: 1)
        stream.tick = .milliseconds(500)
        let rig = VirtualRig(stream)
        let began = rig.reactor.now
        let download = rig.download(for: .seconds(10))
        let times = Set(download.deliveries.map { ($0.at - began).wholeMilliseconds % 500 })
        #expect(times == [0])
        let begin = Self.programme.edge(at: .seconds(40))
        let edge = Self.programme.edge(at: .seconds(50))
        #expect(download.body.elementsEqual(Self.programme.bytes[begin..<edge]))
    }

    @Test("Late audio comes at a multiple of its speed, until it is on time", arguments: [2, 4, 20])
    func speeds(speed: Int) throws {
        let faults: [LiveFault] = [.at(.seconds(2), .stall), .at(.seconds(5), .resumeAt(speed))]
        let rig = VirtualRig(LiveStream(Self.programme, burst: 0, faults: faults, block: 1))
        let began = rig.reactor.now
        let download = rig.download(for: .seconds(10))
        #expect(download.body.count == Self.programme.edge(at: .seconds(50)) - Self.programme.edge(at: .seconds(40)))
        // The server needs 3 / (speed - 1) seconds. In half of that, it is half way, to within a tick of 30 ms.
        let half = Duration.milliseconds(1_500) / (speed - 1)
        let resumed = began + .seconds(5)
        let sent = download.deliveries.reduce(0) { $1.at <= resumed + half ? $0 + $1.count : $0 }
        func edge(_ passed: Duration) -> Int {
            Self.programme.edge(at: .seconds(42) + passed * speed) - Self.programme.edge(at: .seconds(40))
        }
        #expect((edge(half - .milliseconds(31))...edge(half)).contains(sent), "\(sent)")
        #expect(download.deliveries.count { $0.at > began + .seconds(9) } > 30)
    }

    @Test("A head may come late, and too late") func heads() {
        var stream = LiveStream(Self.programme, burst: 0, block: 1)
        stream.headDelay = .seconds(4)
        let late = VirtualRig(stream).download(for: .seconds(6))
        #expect(late.head != nil)
        #expect(
            late.body.elementsEqual(
                Self.programme.bytes[Self.programme.edge(at: .seconds(44))..<Self.programme.edge(at: .seconds(46))]))
        stream.headDelay = .seconds(16)
        let missing = VirtualRig(stream).download(for: .seconds(20))
        #expect(missing.head == nil && missing.error?.code == .headTimeout)
    }

    @Test("A frame may be cut after any part of it", arguments: [(0.0, 1), (0.25, 96), (0.999, 383), (1.0, 383)])
    func parts(part: Double, rest: Int) {
        let fault = LiveFault.inFrame(after: .seconds(2), part: part, .close)
        let rig = VirtualRig(LiveStream(Self.programme, burst: 0, faults: [fault], block: 1))
        #expect(rig.download(for: .seconds(5)).body.count % 384 == rest)
    }

    @Test("What is noted as sent is what the client has read, without metadata and what it left unread") func sent() {
        let stream = LiveStream(Self.programme.title("Song", from: 0), burst: 10_000, interval: 1_000)
        let rig = VirtualRig(stream)
        let download = Download(on: rig.reactor)
        let request = TransferRequest(url: "http://radio.test/", wantsMetadata: true)
        let transfer = rig.origin.start(request, delegate: download)
        rig.reactor.advance(by: .seconds(2))
        transfer.gather(100_000, isCoalesced: false)
        let read = rig.reactor.now
        rig.reactor.advance(by: .seconds(2))
        transfer.cancel()
        let sent = rig.origin.log.accepts[0].sent
        let first = sent.first?.range.lowerBound ?? 0
        #expect(first == Self.programme.edge(at: .seconds(40)) / 1_400 * 1_400 - 10_000)
        #expect(zip(sent, sent.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound })
        #expect(sent.allSatisfy { $0.at <= $0.read && $0.read <= read })
        let blocks = (sent.last?.range.upperBound ?? 0) - first
        // The first block has the title, and the others are empty.
        #expect(download.body.count == blocks + blocks / 1_000 + ICYBody.block("StreamTitle='Song';").count - 1)
        #expect(rig.origin.log.accepts[0].ended == rig.reactor.now)
    }

    @Test("A recording in files is read with its gaps and stretches, which count from the beginning of each file")
    func files() throws {
        let station = try ChanceStation(seed: Self.seedOfMPEG())
        let broadcast = station.broadcast
        func file(_ places: Range<Int>) -> BookedRecording.File {
            let bytes = broadcast.byteRange(of: places)
            let sidecar = Sidecar(.complete, frames: Int64(places.count), bytes: Int64(bytes.count))
            return BookedRecording.File(sidecar, audio: Array(broadcast.bytes[bytes]))
        }
        var second = file(250..<400)
        let at = CivilTime(WallInstant(nanoseconds: 0), utcOffset: 0)
        second.sidecar.gaps = [.init(at: at, milliseconds: 1_306, cause: "test", tried: [], position: 0)]
        second.sidecar.repeated = [.init(at: at, milliseconds: 26, position: 10, frames: 1)]
        let recording = try AuditedRecording([file(100..<200), second], of: station)
        #expect(recording.places == Array(100..<200) + Array(250..<400))
        #expect(recording.gaps.map(\.position) == [100] && recording.gaps[0].length == .milliseconds(1_306))
        #expect(recording.stretches.map(\.frames) == [110..<111])
        let judge = RecordingJudge(recording, of: broadcast, sent: [])
        #expect(judge.findings.isEmpty && judge.rightLengths == 1)
        second.sidecar.frames += 1
        #expect(throws: (any Error).self) { try AuditedRecording([file(100..<200), second], of: station) }
    }

    /// A seed whose station has layer III at 128 kbit/s.
    private static func seedOfMPEG() throws -> Int {
        let seed = try (1..<100).first { try ChanceStation(seed: $0).programme == .mpeg128 }
        return try #require(seed)
    }

    @Test("The logs of several servers are joined, and keep their connections' faults") func joined() {
        let first = VirtualRig(LiveStream(Self.programme, burst: 0, faults: [.at(.seconds(1), .close)]))
        let second = VirtualRig(LiveStream(Self.programme, burst: 0, faults: [.at(.seconds(2), .reset)]))
        let downloads = [first, first, second].map { $0.download(for: .seconds(3)) }
        #expect(downloads.map(\.hasEnded) == [true, true, true])
        let log = OriginLog(joining: [("a", first.origin.log), ("b", second.origin.log)])
        #expect(log.accepts.map(\.host) == ["a", "a", "b"])
        #expect(log.faults.map(\.connection) == [0, 1, 2] && log.faults.map(\.effect) == [.close, .close, .reset])
    }
}
