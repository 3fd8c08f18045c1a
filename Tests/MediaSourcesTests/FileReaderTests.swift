// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import MediaSources

/// Paths in a playlist that are not regular files: they are not opened.
@Suite struct FileReaderTests {
    @Test("B34: A pipe is not opened, so that a process waiting for a reader is not woken")
    func pipe() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fifo.mp3")
        try #require(mkfifo(path, 0o600) == 0)
        symlink("fifo.mp3", folder.file("link.mp3"))
        let watch = try OpenWatch(path)
        for name in ["fifo.mp3", "link.mp3"] { #expect(Self.complaint(folder.file(name)) == "it is not a file") }
        // The pipe cannot be opened for writing, so nothing has it open for reading.
        #expect(open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) == -1 && errno == ENXIO)
        #expect(watch.opens == 0)
    }

    @Test("B34: A device is not opened")
    func device() throws {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(terminal >= 0)
        defer { close(terminal) }
        var number: CInt = 0
        // TIOCGPTN, which Swift's Glibc module lacks: the number of the terminal's other end.
        try #require(ioctl(terminal, 0x8004_5430, &number) == 0)
        let path = "/dev/pts/\(number)"
        let watch = try OpenWatch(path)
        #expect(Self.complaint(path) == "it is not a file")
        #expect(watch.opens == 0)
    }

    @Test(
        "B34: Folders, kernel files and missing files are refused with the reason",
        arguments: [
            ("/proc/self/status", "it is not a file"), ("/proc/kmsg", "it is not a file"),
            ("/sys/kernel/mm/transparent_hugepage/enabled", "it is not a file"), ("/dev/null", "it is not a file"),
            ("/", "it is not a file"),
            ("/nowhere/at all.mp3", "/nowhere/at all.mp3 cannot be read: there is no such file"),
        ])
    func others(_ path: String, _ expected: String) {
        // The file may also be missing, because a machine may lack some of these paths.
        let complaint = Self.complaint(path)
        #expect(complaint == expected || (access(path, F_OK) != 0 && complaint?.hasSuffix("no such file") == true))
    }

    @Test("B34: A playlist that names pipes, devices and folders plays only its files")
    func playlist() throws {
        let folder = try TemporaryFolder()
        mkfifo(folder.file("fifo.mp3"), 0o600)
        try folder.write("music.mp3", SampleProgramme(200).bytes)
        symlink("music.mp3", folder.file("link.mp3"))
        let names = ["fifo.mp3", "/dev/null", "/proc/self/status", ".", "music.mp3", "link.mp3"]
        let list = try folder.write("list.m3u", names.joined(separator: "\n"))
        let watch = try OpenWatch(folder.file("fifo.mp3"))
        let playout = Playout(FileSupply(.paths([list]), stop: try StopFlag()), repeats: false)
        var titles: [String] = []
        var skipped: [String] = []
        while true {
            switch playout.next() {
            case .parts(let parts): titles += PlayedParts(parts).titles
            case .skipped(let item, _): skipped.append(item)
            case .leftOut, .ended, .idle, .opened, .mayBeIncomplete: break
            case nil: continue
            }
            if titles.count + skipped.count == names.count { break }
        }
        #expect(titles == ["music", "link"])
        #expect(skipped.count == 4)
        #expect(watch.opens == 0)
    }

    /// Why a path is not read; nil if it is.
    private static func complaint(_ path: String) -> String? {
        do throws(Failure) {
            _ = try FileReader(path)
            return nil
        } catch {
            return error.message
        }
    }
}

/// Counts how often a file is opened by any process: inotify(7).
private final class OpenWatch {
    private let descriptor: CInt

    init(_ path: String) throws {
        descriptor = inotify_init1(CInt(O_NONBLOCK | O_CLOEXEC))
        try #require(descriptor >= 0)
        try #require(inotify_add_watch(descriptor, path, UInt32(IN_OPEN)) >= 0)
    }

    deinit { close(descriptor) }

    var opens: Int {
        let size = MemoryLayout<inotify_event>.size
        var buffer = [UInt8](repeating: 0, count: 64 * size)
        return max(0, Glibc.read(descriptor, &buffer, buffer.count)) / size
    }
}
