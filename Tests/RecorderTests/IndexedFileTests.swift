// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Glibc
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Recorder
@testable import Storage

/// The indexes that a recorder writes beside its files.
struct IndexedFileTests {
    @Test("The index of a file grows with it, and finds its frames and their air times")
    func growing() throws {
        let rig = try RecorderRig { $0.stationID = "fip" }
        rig.begin()
        let start = rig.reactor.wallNow
        rig.play(.seconds(80))
        let part = try #require(rig.names.first { $0.hasSuffix(".part") })
        let (found, last) = try Self.entries(of: part.dropping(".mp3.part"), part, in: rig.folder)
        // Data is written every second, the index every minute.
        #expect(found >= 60 && Double(last) * 1_152 / 44_100 > 58)
        _ = rig.stop()
        let name = try #require(rig.names.first { $0.hasSuffix(".mp3") })
        let (all, end) = try Self.entries(of: name.dropping(".mp3"), name, in: rig.folder)
        #expect(all > found && Double(end) * 1_152 / 44_100 > 78)
        let index = rig.folder.content(of: name.dropping(".mp3") + ".index") ?? []
        for entry in stride(from: FrameIndex.head.count, to: index.count, by: 32) {
            let fields = index[entry..<entry + 24].withUnsafeBytes { Array($0.bindMemory(to: Int64.self)) }
            let expected = start + .samples(fields[0] * 1_152, at: 44_100)
            #expect(abs((WallInstant(nanoseconds: fields[2]) - expected).inSeconds) < 0.001)
        }
    }

    @Test("A file that a full disk cuts, and the file after it, have right indexes")
    func fullDisk() throws {
        var limits = WriterLimits()
        limits.clientAge = .seconds(2)
        let rig = try RecorderRig(limits: limits) {
            $0.policy = .none
            $0.stationID = "fip"
        }
        rig.begin()
        rig.fillDisk(from: .seconds(8), to: .seconds(13))
        _ = rig.stop(after: .seconds(25))
        let names = rig.names.filter { $0.hasSuffix(".mp3") }
        #expect(names.count == 2)
        for name in names { #expect(try Self.entries(of: name.dropping(".mp3"), name, in: rig.folder).found > 3) }
    }

    @Test(
        "Recordings without a station's ID, as from the command line, have no index, nor has FLAC",
        arguments: [(nil, RecorderRig.format), ("fip", RecorderRig.flac)])
    func noIndex(station: String?, format: StreamFormat) throws {
        let rig = try RecorderRig { $0.stationID = station }
        rig.begin(format)
        _ = rig.stop(after: .seconds(8))
        #expect(rig.names.count == 2 && !rig.names.contains { $0.hasSuffix(".index") })
    }

    /// Checks every place that an index knows against the audio: all frames differ. Returns how many it knows, and the
    /// last frame.
    private static func entries(
        of base: String, _ audio: String, in folder: TemporaryFolder
    ) throws -> (found: Int, last: Int64) {
        let bytes = try folder.read(audio)
        let (directory, file) = (open(folder.path, O_RDONLY | O_DIRECTORY), open(folder.file(audio), O_RDONLY))
        defer {
            close(directory)
            close(file)
        }
        var places: Set<FrameIndex.Place> = []
        for frame in 1..<Int64(bytes.count / 417) {
            let place = FrameIndex.place(upTo: frame, of: file, base, in: directory, LinuxFileSystem())
            #expect(place.frame <= frame)
            if place != .start { places.insert(place) }
        }
        let first = bytes.firstRange(of: RecorderRig.frame(0))?.lowerBound
        for place in places where first != nil {
            let isThere = bytes[Int(place.byte)...].starts(with: RecorderRig.frame(Int(place.frame)))
            #expect(isThere, "\(place)")
        }
        return (places.count, places.map(\.frame).max() ?? 0)
    }
}

extension String {
    fileprivate func dropping(_ suffix: String) -> String { String(dropLast(suffix.count)) }
}
