// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import Storage
import TestSupport
import Testing

@Suite("Frames to standard output")
struct DescriptorWriterTests {
    /// A pipe, and what the writer into it reported.
    private final class Pipe {
        let reader: CInt
        let descriptor: CInt
        let reports = Storage.Monitor<[DescriptorWriter.Report]>([])

        init() throws {
            var ends: [CInt] = [0, 0]
            try #require(pipe(&ends) == 0)
            reader = ends[0]
            descriptor = ends[1]
        }

        func writer(_ limits: WriterLimits = WriterLimits()) throws -> DescriptorWriter {
            let reports = reports
            return try DescriptorWriter(descriptor: descriptor, name: "standard output", limits: limits) { report in
                reports.withLock { $0.append(report) }
                reports.signal()
            }
        }

        /// Waits for a report.
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

    @Test("come out as they went in, and the end is reported when all is written")
    func order() throws {
        let pipe = try Pipe()
        let writer = try pipe.writer()
        for byte in 0..<100 { #expect(writer.append(WriterRig.slice(UInt8(byte), 400)) == .queued) }
        writer.finish()
        #expect(pipe.wait(for: .ended))
        #expect(pipe.read(40_000) == (0..<100).flatMap { [UInt8](repeating: UInt8($0), count: 400) })
        #expect(writer.append([1]) == .refused)
    }

    @Test("a reader that goes away is a proper end")
    func brokenPipe() throws {
        let pipe = try Pipe()
        let writer = try pipe.writer()
        close(pipe.reader)
        _ = writer.append([1, 2, 3])
        #expect(pipe.wait(for: .ended))
        #expect(writer.append([4]) == .refused)
    }

    @Test("a reader that does not read costs a bounded queue, and nobody waits for it")
    func slowReader() throws {
        var limits = WriterLimits()
        limits.stationBytes = 400_000
        limits.highWater = 200_000
        limits.lowWater = 100_000
        let pipe = try Pipe()
        let writer = try pipe.writer(limits)
        let results = (0..<20).map { writer.append(WriterRig.slice(UInt8($0), 40_000)) }
        #expect(results.first == .queued && results.contains(.aboveHighWater) && results.last == .refused)
        let taken = results.count { $0 != .refused }
        #expect(pipe.read(taken * 40_000).count == taken * 40_000)
        #expect(pipe.wait(for: .drained))
        writer.finish()
        #expect(pipe.wait(for: .ended))
    }

    @Test("a device that is full is an error that says so")
    func fullDevice() throws {
        let pipe = try Pipe()
        let device = open("/dev/full", O_WRONLY)
        defer { close(device) }
        let reports = pipe.reports
        let writer = try DescriptorWriter(descriptor: device, name: "standard output") { report in
            reports.withLock { $0.append(report) }
            reports.signal()
        }
        _ = writer.append([1])
        let error = StorageError(SystemError(number: ENOSPC), .write, "standard output")
        #expect(pipe.wait(for: .failed(error)))
        #expect(error.message == "cannot write standard output: no space left on the disk")
    }
}
