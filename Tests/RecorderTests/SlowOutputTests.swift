// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Glibc
import Instants
import Platform
import RadioFormats
import Recorder
import Stations
import Storage
import TestTools
import Testing

@testable import RadioCore

/// The end of `--output -`, for slow readers. The pipe and the thread that writes are real, and the clock is not.
struct SlowOutputTests {
    private static let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 48_000, channels: 2)
    private static let frameSize = 1_000
    private let reactor = ManualReactor()
    private let hub = StreamHub()
    private let output: FrameOutput
    private let reader: CInt
    private let writingEnd: CInt
    private let taken = Monitor<Int64>(0)

    init() throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        (reader, writingEnd) = (ends[0], ends[1])
        var limits = WriterLimits()
        limits.clientBytes = 300_000
        limits.lowWater = 100_000
        output = try FrameOutput(descriptor: ends[1], limits: limits, zone: FixedZone.utc, reactor: reactor)
        hub.attach(output)
        hub.begin(Self.format)
        hub.setAirTime(AirTime(origin: reactor.wallNow, sampleRate: 48_000, isSettled: true))
        hub.report(.firstJoin)
    }

    /// Feeds frames of a thousand bytes and a fiftieth of a second.
    private func feed(_ count: Int) {
        for number in 0..<count {
            let frame = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Self.frameSize)
            frame.withUnsafeBytes { hub.append($0, samples: 960, backReference: 0) }
        }
        hub.flush()
    }

    /// Reads this many bytes.
    private func read(_ count: Int) {
        var buffer = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let more = buffer.withUnsafeMutableBytes { Glibc.read(reader, $0.baseAddress, count - done) }
            guard more > 0 else { return }
            done += more
        }
        taken.withLock { $0 += Int64(count) }
    }

    /// Waits until the pipe is full, and the thread that writes is blocked in a write.
    private func fill() {
        let isFull = waitUntil(.seconds(60)) {
            var watched = pollfd(fd: writingEnd, events: Int16(POLLOUT), revents: 0)
            var held: CInt = 0
            _ = ioctl(reader, UInt(FIONREAD), &held)
            return poll(&watched, 1, 0) == 0 && output.written == taken.withLock { $0 } + Int64(held)
        }
        #expect(isFull)
    }

    /// Reads until there is a result.
    private func readToTheEnd(_ result: Monitor<RecordingReport?>) throws -> RecordingReport {
        _ = fcntl(reader, F_SETFL, O_NONBLOCK)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        _ = waitUntil(.seconds(30)) {
            _ = buffer.withUnsafeMutableBytes { Glibc.read(reader, $0.baseAddress, $0.count) }
            reactor.settle()
            return result.withLock { $0 } != nil
        }
        return try #require(result.withLock { $0 })
    }

    private func stop() -> Monitor<RecordingReport?> {
        let result = Monitor<RecordingReport?>(nil)
        output.stop(patience: .seconds(60)) { report in result.withLock { $0 = report } }
        return result
    }

    @Test("A slow reader is waited for as long as it reads, and gets everything") func slowReader() throws {
        feed(250)
        let result = stop()
        fill()
        for _ in 0..<8 {
            reactor.advance(by: .seconds(59))
            read(20_000)
            fill()
            #expect(result.withLock { $0 } == nil)
        }
        let report = try readToTheEnd(result)
        #expect(report.frames == 250 && report.gaps.isEmpty && report.failure == nil)
    }

    @Test("The audio that a reader leaves when it stops is a gap and an error") func stoppedReader() throws {
        feed(250)
        let result = stop()
        fill()
        reactor.advance(by: .seconds(60))
        reactor.advance(by: .seconds(60))
        let report = try #require(result.withLock { $0 })
        let left = 250 - report.frames
        #expect(left > 150 && output.written == report.bytes)
        #expect(report.bytes == report.frames * 1_000)
        let gap = try #require(report.gaps.first)
        #expect(report.gaps.count == 1 && gap.milliseconds == left * 20 && gap.position == report.frames)
        #expect(report.failure?.failureClass == .storage)
    }

    @Test("A hurried end waits for a reader that reads, but not for long") func hurriedReader() {
        feed(250)
        let result = stop()
        fill()
        output.hurry(.seconds(7))
        for _ in 0..<8 {
            #expect(result.withLock { $0 } == nil)
            read(8_192)
            fill()
            reactor.advance(by: .milliseconds(875))
        }
        #expect(result.withLock { $0 }?.failure?.failureClass == .storage)
    }

    @Test("A hurried end does not wait for a reader that has stopped") func hurriedStop() throws {
        feed(250)
        let result = stop()
        fill()
        output.hurry(.seconds(7))
        reactor.advance(by: .milliseconds(900))
        #expect(result.withLock { $0 } == nil)
        reactor.advance(by: .milliseconds(100))
        let report = try #require(result.withLock { $0 })
        #expect(report.failure?.failureClass == .storage && report.gaps.count == 1)
    }

    @Test("A live station overruns a slow reader by whole frames, in one dated gap") func overrun() throws {
        feed(1_000)
        read(280_000)
        #expect(waitUntil(.seconds(60)) { output.written >= 284_000 })
        feed(100)
        let result = stop()
        let report = try readToTheEnd(result)
        let gap = try #require(report.gaps.first)
        #expect(report.gaps.count == 1 && gap.milliseconds == (1_100 - report.frames) * 20)
        #expect(gap.position == report.frames - 100 && output.written == report.bytes)
        #expect(report.failure?.message.contains("not read fast enough") == true)
    }

    @Test("A reader that goes away has missed nothing, however much was waiting for it") func goneReader() throws {
        feed(1_000)
        close(reader)
        let result = stop()
        let hasEnded = waitUntil(.seconds(30)) {
            reactor.settle()
            return result.withLock { $0 } != nil
        }
        let report = try #require(hasEnded ? result.withLock { $0 } : nil)
        #expect(report.failure == nil && report.gaps.isEmpty && report.bytes == output.written)
    }
}
