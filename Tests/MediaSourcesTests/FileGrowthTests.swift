// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import TestTools
import Testing

@testable import MediaSources

/// Files that are still being written.
struct FileGrowthTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)

    /// A folder with `a.mp3`, a tone of four seconds, and the bytes of this file.
    private static func tone() throws -> (TemporaryFolder, [UInt8]) {
        let folder = try TemporaryFolder()
        let encoded = try ChildProcess(
            .ffmpeg, ["-v", "error", "-f", "lavfi", "-i", "sine=duration=4", folder.file("a.mp3")]
        ).wait(within: .seconds(30))
        #expect(encoded.succeeded)
        return (folder, try bytes(ofFile: folder.file("a.mp3")))
    }

    @Test("A recording is waited for while it has its part name and grows") func growingRecording() {
        var growth = FileGrowth("/a/x.mp3.part", size: 100, lastChange: Self.start)
        let waits: [(size: Int64, hasName: Bool, after: Duration, waits: Bool)] = [
            (100, true, .zero, true), (100, true, .seconds(9), true), (200, true, .milliseconds(9_900), true),
            (200, true, .seconds(19), true), (200, false, .seconds(19), false), (200, true, .seconds(20), false),
        ]
        for (size, hasName, after, isWaited) in waits {
            let mayProceed = growth.mayProceed(
                size: size, extent: .unknown, hasName: hasName, now: Self.start + after)
            #expect(mayProceed == isWaited, "\(after)")
        }
    }

    @Test(
        "Another file is waited for while it was written to a short time ago, and one that is whole only if it grows",
        arguments: [
            (AudioFileFacts.Extent.unknown, [true, false, true, false]), (.unfinished, [true, true, true, false]),
            (.whole, [false, false, true, false]),
        ])
    func otherFile(extent: AudioFileFacts.Extent, waits: [Bool]) {
        var growth = FileGrowth("/a/x.mp3", size: 100, lastChange: Self.start)
        let found = [(100, 9), (100, 11), (101, 100), (101, 221)].map { (size: Int64, seconds: Int) in
            growth.mayProceed(size: size, extent: extent, hasName: false, now: Self.start + .seconds(seconds))
        }
        #expect(found == waits)
    }

    @Test(
        "A head that announces more is believed for ten seconds after the end was reached, unless it was cut off long ago",
        arguments: [(30, [true, true, false]), (115, [true, false, false]), (300, [false, false, false])])
    func promise(age: Int, waits: [Bool]) {
        var growth = FileGrowth("/a/x.mp3", size: 100, lastChange: Self.start)
        let found = [0, 9, 11].map { seconds in
            let now = Self.start + .seconds(age + seconds)
            return growth.mayProceed(size: 100, extent: .unfinished, hasName: false, now: now)
        }
        #expect(found == waits)
    }

    @Test("A file that grows is read past the end that its head states: another file may be joined to it")
    func joined() throws {
        let (folder, whole) = try Self.tone()
        let path = try folder.write("b.mp3", Array(whole[..<(whole.count / 2)]))
        let framing = try ItemFraming(path, from: .zero)
        var frames = 0
        let file = open(path, O_WRONLY | O_APPEND)
        defer { close(file) }
        for piece in [whole[(whole.count / 2)...], whole[...]] {
            while !framing.isWaiting { frames += try framing.read().frames }
            _ = piece.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            frames += try framing.read().frames
            #expect(framing.isWaiting && !framing.isOver)
        }
        let single = try ItemFraming(folder.file("a.mp3"), from: .zero)
        while !single.isOver { frames -= try 2 * single.read().frames }
        // The last frame is known to be whole once the next one begins, or the file ends.
        #expect((-1...0).contains(frames), "\(frames)")
    }

    @Test("A growing recording is read to the end of what was written before its renaming") func renamedFile() throws {
        let (folder, whole) = try Self.tone()
        let path = folder.file("b.mp3.part")
        try folder.write("b.mp3.part", Array(whole[..<(whole.count / 2)]))
        let framing = try ItemFraming(path, from: .zero)
        #expect(framing.opening.isGrowing && framing.opening.length == nil)
        var frames = 0
        while !framing.isWaiting { frames += try framing.read().frames }
        let more = try framing.read()
        #expect(more.frames == 0 && framing.isWaiting)
        let file = open(path, O_WRONLY | O_APPEND)
        _ = whole[(whole.count / 2)...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        close(file)
        rename(path, folder.file("b.mp3"))
        while !framing.isOver { frames += try framing.read().frames }
        let finished = try ItemFraming(folder.file("a.mp3"), from: .zero)
        while !finished.isOver { frames -= try finished.read().frames }
        #expect(frames == 0)
    }

    @Test("A file that was waited for in vain may not be whole, unless it says so", arguments: [true, false])
    func mayBeIncomplete(isCut: Bool) throws {
        let (folder, whole) = try Self.tone()
        // Without its head, a file does not say where it ends.
        let path = try folder.write("b.mp3", isCut ? Array(whole[(whole.count / 2)...]) : whole)
        // It was written to almost ten seconds ago.
        var time = timeval()
        gettimeofday(&time, nil)
        time.tv_sec -= 10
        time.tv_usec = min(time.tv_usec + 300_000, 999_999)
        #expect(utimes(path, [time, time]) == 0)
        let framing = try ItemFraming(path, from: .zero)
        while !framing.isOver { _ = try framing.read() }
        #expect(framing.mayBeIncomplete == isCut)
    }
}
