// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Platform
import RadioCore
import Storage
import TestTools
import Testing

@Suite("Frames to standard output")
struct DescriptorWriterTests {
    /// A pipe, and the reports of the writer that writes into it.
    private final class Pipe {
        let reader: CInt
        let descriptor: CInt
        let reports = Monitor<[DescriptorWriter.Report]>([])

        init() throws {
            var ends: [CInt] = [0, 0]
            try #require(pipe(&ends) == 0)
            reader = ends[0]
            descriptor = ends[1]
        }

        var isFull: Bool {
            var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            return poll(&watched, 1, 0) == 0
        }

        /// The number of bytes that wait to be read.
        var held: Int64 {
            var count: CInt = 0
            _ = ioctl(reader, UInt(FIONREAD), &count)
            return Int64(count)
        }

        func writer(_ limits: WriterLimits = WriterLimits()) throws -> DescriptorWriter {
            let reports = reports
            return try DescriptorWriter(descriptor: descriptor, name: "standard output", limits: limits) { report in
                reports.withLock { $0.append(report) }
                reports.signal()
            }
        }

        func wait(for report: DescriptorWriter.Report) -> Bool {
            reports.wait(until: .read() + .seconds(30)) { $0.contains(report) ? true : nil } ?? false
        }

        func read(_ count: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            var done = 0
            while done < count {
                let more = bytes.withUnsafeMutableBytes {
                    Glibc.read(reader, $0.baseAddress.map { $0 + done }, count - done)
                }
                guard more > 0 else { break }
                done += more
            }
            return Array(bytes.prefix(done))
        }
    }

    @Test("Frames are written in order, and the end is reported when all are written")
    func order() throws {
        let pipe = try Pipe()
        let writer = try pipe.writer()
        for byte in 0..<100 { #expect(writer.append(WriterRig.slice(UInt8(byte), 400), FrameTotals()) == .queued) }
        writer.finish()
        #expect(pipe.wait(for: .ended))
        #expect(pipe.read(40_000) == WriterRig.bytes(0...99, each: 400))
        #expect(writer.append([1], FrameTotals()) == .refused)
    }

    @Test("A reader that goes away is a proper end")
    func brokenPipe() throws {
        let pipe = try Pipe()
        let writer = try pipe.writer()
        close(pipe.reader)
        _ = writer.append([1, 2, 3], FrameTotals())
        #expect(pipe.wait(for: .readerGone(left: FrameTotals())))
        #expect(writer.append([4], FrameTotals()) == .refused)
    }

    @Test("A reader that does not read costs a bounded queue, and blocks nothing")
    func slowReader() throws {
        var limits = WriterLimits()
        limits.clientBytes = 400_000
        limits.highWater = 200_000
        limits.lowWater = 100_000
        let pipe = try Pipe()
        let writer = try pipe.writer(limits)
        let results = (0..<20).map { writer.append(WriterRig.slice(UInt8($0), 40_000), FrameTotals()) }
        #expect(results.first == .queued && results.contains(.aboveHighWater) && results.last == .refused)
        let taken = results.count { $0 != .refused }
        #expect(pipe.read(taken * 40_000).count == taken * 40_000 && pipe.wait(for: .drained))
        writer.finish()
        #expect(pipe.wait(for: .ended))
    }

    @Test("A reader that stops for good has whole units only, and the rest is counted")
    func abandoned() throws {
        let pipe = try Pipe()
        let writer = try pipe.writer()
        let unit = FrameTotals(frames: 1, bytes: 3_000, samples: 1_152)
        for byte in 0..<100 { _ = writer.append(WriterRig.slice(UInt8(byte), 3_000), unit) }
        // Nothing reads, so the pipe fills up and the thread blocks in a write.
        #expect(waitUntil(.seconds(30)) { pipe.isFull && writer.written == pipe.held })
        let left = writer.abandon()
        let written = Int(writer.written)
        #expect(written > 0 && written % 3_000 == 0)
        #expect(left.frames == Int64(100 - written / 3_000) && left.bytes == left.frames * 3_000)
        #expect(writer.append([1], FrameTotals()) == .refused)
        // The reader can read these bytes even after the end of the process.
        _ = fcntl(pipe.reader, F_SETFL, O_NONBLOCK)
        let sent = WriterRig.bytes(0...99, each: 3_000)
        #expect(pipe.read(written) == Array(sent.prefix(written)))
    }

    @Test("An overrun queue refuses data until it has drained, for one long gap in place of many short ones")
    func overrun() throws {
        var limits = WriterLimits()
        limits.clientBytes = 400_000
        limits.lowWater = 100_000
        let pipe = try Pipe()
        let writer = try pipe.writer(limits)
        while writer.append(WriterRig.slice(1, 4_000), FrameTotals(frames: 1)) != .refused {}
        #expect(pipe.read(150_000).count == 150_000)
        #expect(writer.append(WriterRig.slice(1, 4_000), FrameTotals(frames: 1)) == .refused)
        #expect(pipe.read(250_000).count == 250_000)
        #expect(
            waitUntil(.seconds(30)) { writer.append(WriterRig.slice(1, 4_000), FrameTotals(frames: 1)) == .queued })
    }

    @Test("A full device is reported as such")
    func fullDevice() throws {
        let pipe = try Pipe()
        let device = open("/dev/full", O_WRONLY)
        defer { close(device) }
        let reports = pipe.reports
        let writer = try DescriptorWriter(descriptor: device, name: "standard output") { report in
            reports.withLock { $0.append(report) }
            reports.signal()
        }
        _ = writer.append([1], FrameTotals())
        let error = StorageError(SystemError(number: ENOSPC), .write, "standard output")
        #expect(pipe.wait(for: .failed(error, left: FrameTotals())))
        #expect(error.message == "cannot write standard output: no space left on the disk")
    }
}
