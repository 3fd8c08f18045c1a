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
        "Another file is waited for while it was written to a short time ago, and longer if its head announces more",
        arguments: [
            (AudioFileFacts.Extent.unknown, [true, false, true, false]), (.unfinished, [true, true, true, false]),
            (.whole, [false, false, false, false]),
        ])
    func otherFile(extent: AudioFileFacts.Extent, waits: [Bool]) {
        var growth = FileGrowth("/a/x.mp3", size: 100, lastChange: Self.start)
        let found = [(100, 9), (100, 11), (101, 100), (101, 221)].map { (size: Int64, seconds: Int) in
            growth.mayProceed(size: size, extent: extent, hasName: false, now: Self.start + .seconds(seconds))
        }
        #expect(found == waits)
    }

    @Test("A growing recording is read to the end of what was written before its renaming") func renamedFile() throws {
        let folder = try TemporaryFolder()
        let encoded = try ChildProcess(
            .ffmpeg, ["-v", "error", "-f", "lavfi", "-i", "sine=duration=4", folder.file("a.mp3")]
        ).wait(within: .seconds(30))
        #expect(encoded.succeeded)
        let whole = try bytes(ofFile: folder.file("a.mp3"))
        let path = folder.file("b.mp3.part")
        try folder.write("b.mp3.part", Array(whole[..<(whole.count / 2)]))
        var framing = try ItemFraming(path, from: .zero)
        #expect(framing.opening.isGrowing && framing.opening.length == nil)
        var frames = 0
        while !framing.isWaiting { frames += try framing.next().frames }
        let more = try framing.next()
        #expect(more.frames == 0 && framing.isWaiting)
        let file = open(path, O_WRONLY | O_APPEND)
        _ = whole[(whole.count / 2)...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        close(file)
        rename(path, folder.file("b.mp3"))
        while !framing.isOver { frames += try framing.next().frames }
        var finished = try ItemFraming(folder.file("a.mp3"), from: .zero)
        while !finished.isOver { frames -= try finished.next().frames }
        #expect(frames == 0)
    }
}
