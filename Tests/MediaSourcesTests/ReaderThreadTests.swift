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

@testable import MediaSources

@Suite struct ReaderThreadTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A file arrives whole through the bounded queue") func wholeFile() throws {
        let music = SampleProgramme(3000)
        let path = try folder.write("a.mp3", music.bytes)
        let reader = try ReaderThread(MediaPlan(.paths([path]), repeats: false), reactor: ManualReactor())
        #expect(try collect(reader).bytes == music.bytes)
    }

    @Test("The reader waits while its queue is full") func fullQueue() throws {
        let queue = StepQueue()
        startThread("test-put") {
            var parts = StreamParts()
            withUnsafeBytes(of: (0, 0, 0, 0)) { parts.append(FrameBatch(FrameFacts(samples: 1), length: 4), $0) }
            for _ in 0..<5000 { _ = queue.put(.parts(parts)) }
            _ = queue.put(.ended(nil))
        }
        var most = 0
        let isOver = waitUntil(.seconds(20)) {
            most = max(most, queue.count)
            for _ in 0..<500 {
                if case .ended = queue.take() { return true }
            }
            return false
        }
        #expect(isOver && (500...1024).contains(most))
    }

    @Test("A pipe may pause, and its end is the end of the source") func pausingPipe() throws {
        let music = SampleProgramme(1000)
        let fifo = folder.file("pipe")
        #expect(mkfifo(fifo, 0o600) == 0)
        let reader = try ReaderThread(MediaPlan(.paths([fifo]), repeats: false), reactor: ManualReactor())
        let pipe = open(fifo, O_WRONLY)
        #expect(pipe >= 0)
        #expect(put(music.frames(0..<100), pipe))
        var heard: [UInt8] = []
        func heardAll(_ frames: Int) -> Bool {
            waitUntil(.seconds(10)) {
                heard += take(reader)
                return heard.count >= frames * music.frameLength
            }
        }
        // The last frames are delivered only when the bytes after them have arrived.
        #expect(heardAll(98))
        #expect(take(reader).isEmpty)
        #expect(put(music.frames(100..<150), pipe))
        #expect(heardAll(148))
        #expect(put(music.frames(150..<160), pipe))
        close(pipe)
        let rest = try collect(reader)
        #expect(heard + rest.bytes == music.frames(0..<160))
        #expect(rest.failure == nil)
    }

    @Test("A reader stops while a pipe is silent, while a pipe is unopened, and while its queue is full")
    func stopping() throws {
        let (silent, unopened) = (folder.file("silent"), folder.file("unopened"))
        for path in [silent, unopened] { #expect(mkfifo(path, 0o600) == 0) }
        let long = try folder.write("long.mp3", SampleProgramme(8000).bytes)
        let readers = try [silent, unopened, long].map {
            try ReaderThread(MediaPlan(.paths([$0])), reactor: ManualReactor())
        }
        let pipe = open(silent, O_WRONLY)
        for reader in readers {
            reader.close()
            #expect(reader.next() == nil)
        }
        // Writing fails once the reader has closed the silent pipe.
        #expect(waitUntil(.seconds(10)) { !put([1], pipe) })
        close(pipe)
        // A thread still waits for the other pipe to be opened. Opening it lets that thread end.
        close(open(unopened, O_RDWR | O_NONBLOCK))
    }

    @Test("A pipe among files is played in its turn") func pipeAmongFiles() throws {
        let music = SampleProgramme(100)
        let path = try folder.write("a.mp3", music.bytes)
        let fifo = folder.file("pipe")
        #expect(mkfifo(fifo, 0o600) == 0)
        let reader = try ReaderThread(MediaPlan(.paths([fifo, path]), repeats: false), reactor: ManualReactor())
        let pipe = open(fifo, O_WRONLY)
        #expect(put(music.frames(0..<20), pipe))
        close(pipe)
        #expect(try collect(reader).bytes == music.frames(0..<20) + music.bytes)
    }
}

/// The bytes that are available now.
private func take(_ reader: ReaderThread) -> [UInt8] {
    var bytes: [UInt8] = []
    while let event = reader.next() {
        if case .parts(let parts) = event { bytes += PlayedParts(parts).bytes }
    }
    return bytes
}

/// Everything up to the end.
private func collect(_ reader: ReaderThread) throws -> (bytes: [UInt8], failure: Failure?) {
    var bytes: [UInt8] = []
    var ending: Failure??
    let isOver = waitUntil(.seconds(30)) {
        while let event = reader.next() {
            if case .parts(let parts) = event { bytes += PlayedParts(parts).bytes }
            if case .ended(let failure) = event {
                ending = .some(failure)
                return true
            }
        }
        return false
    }
    guard isOver else { throw SetupError("the reader does not end") }
    return (bytes, ending ?? nil)
}

/// Writes all bytes; false if the reader is gone.
private func put(_ bytes: [UInt8], _ pipe: CInt) -> Bool {
    signal(SIGPIPE, SIG_IGN)
    return write(pipe, bytes, bytes.count) == bytes.count
}
