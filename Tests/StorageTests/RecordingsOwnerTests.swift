// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import Storage
import TestTools
import Testing

/// Daemons that would record into the same folder.
struct RecordingsOwnerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func lock(_ state: String) throws -> StateLock { try StateLock(folder: folder.file(state)) }

    private func take(_ recordings: String, _ state: String) throws(Failure) {
        try RecordingsOwner.take(folder.file(recordings), state: folder.file(state))
    }

    @Test("D33: A daemon is refused the folder of another running daemon, also by another path, and the other is named")
    func refused() throws {
        let locks = [try lock("one"), try lock("two")]
        try take("recordings", "one")
        symlink(folder.file("recordings"), folder.file("link"))
        for path in ["recordings", "link", "recordings/../recordings"] {
            let failure = #expect(throws: Failure.self) { try take(path, "two") }
            #expect(failure?.message.contains(folder.file("one")) == true && failure?.failureClass == .configuration)
        }
        try take("others", "two")
        #expect(locks.count == 2)
    }

    @Test("D33: A daemon takes its own folder again, and the folder of a daemon that has ended") func ended() throws {
        var first: StateLock? = try lock("one")
        let second = try lock("two")
        try take("recordings", "one")
        try take("recordings", "one")
        #expect(first != nil)
        first = nil
        try take("recordings", "two")
        first = try lock("one")
        #expect(throws: Failure.self) { try take("recordings", "one") }
        withExtendedLifetime(second) {}
    }

    @Test("D33: A copy of a folder, with its attributes, is another folder") func copied() throws {
        let locks = [try lock("one"), try lock("two")]
        try take("recordings", "one")
        let copying = try ChildProcess("/bin/cp", ["-a", folder.file("recordings"), folder.file("copy")])
        #expect(try copying.wait(within: .seconds(30)).ending == .exited(0))
        try take("copy", "two")
        #expect(locks.count == 2)
    }

    @Test("D33: A folder that cannot be made or read refuses nobody") func unusable() throws {
        let lock = try lock("one")
        try folder.write("file", [1])
        try take("file", "one")
        try take("file/below", "one")
        withExtendedLifetime(lock) {}
    }

    @Test("D33: A daemon is refused a folder inside the folder of a running daemon, and the other is named")
    func inner() throws {
        var first: StateLock? = try lock("one")
        let second = try lock("two")
        try take("recordings", "one")
        let failure = #expect(throws: Failure.self) { try take("recordings/a/b", "two") }
        #expect(failure?.message.contains(folder.file("one")) == true && failure?.failureClass == .configuration)
        #expect(failure?.message.hasSuffix("the folder \(folder.file("recordings"))") == true)
        try take("recordings/a", "one")
        #expect(first != nil)
        first = nil
        try take("recordings/a/b", "two")
        withExtendedLifetime(second) {}
    }

    @Test("D33: A daemon whose folder was there before the daemon of the folder around it may come back")
    func innerAgain() throws {
        var inner: StateLock? = try lock("two")
        try take("recordings/a", "two")
        let outer = try lock("one")
        try take("recordings", "one")
        #expect(inner != nil)
        inner = nil
        inner = try lock("two")
        try take("recordings/a", "two")
        #expect(throws: Failure.self) { try take("recordings/b", "two") }
        let third = try lock("three")
        #expect(throws: Failure.self) { try take("recordings/a", "three") }
        withExtendedLifetime((outer, third)) {}
    }

    @Test("D33: A daemon lists and deletes nothing inside its folder that belongs to another daemon, running or not")
    func outer() throws {
        let second = try lock("two")
        try take("recordings/a", "two")
        try folder.write("recordings/a/inner.mp3", [1])
        try folder.write("recordings/outer.mp3", [1])
        let library = Library(path: folder.file("recordings"), depth: 8)
        let names = { try library.page(after: nil, atMost: 9).segments.map(\.base) }
        let deleter = RecordingDeleter(path: folder.file("recordings"))
        let delete = { try deleter.delete("x", ["a/inner"]) }
        do {
            let first = try lock("one")
            try take("recordings", "one")
            #expect(try names() == ["outer"])
            #expect(throws: RecordingDeleter.Refusal.system("a", EACCES)) { try delete() }
            withExtendedLifetime(first) {}
        }
        withExtendedLifetime(second) {}
        // Nobody's state folder: what it says does not count any more.
        unlink(folder.file("two/\(StateLock.name)"))
        #expect(try Set(names()) == ["inner", "outer"])
    }

    @Test("D33: The folders of other daemons inside a recordings folder are known, with their state folders")
    func innerFolders() throws {
        let locks = (try lock("one"), try lock("two"))
        try take("recordings/a/b", "two")
        try take("recordings", "one")
        try folder.make("recordings/c")
        let inner = RecordingsOwner.inner(of: folder.file("recordings"), depth: 8)
        #expect(inner.map(\.folder) == [folder.file("recordings/a/b")] && inner.map(\.state) == [folder.file("two")])
        withExtendedLifetime(locks) {}
    }

    @Test("D39: A state folder from a backup is found to be older than the recordings, once") func olderState() throws {
        let lock = try lock("one")
        func takes() throws -> Bool {
            try RecordingsOwner.take(folder.file("recordings"), state: folder.file("one"))
        }
        #expect(try !takes() && !takes())
        let backup = try folder.read("one/runs.txt")
        #expect(try !takes())
        try folder.write("one/runs.txt", backup)
        #expect(try takes() && !takes())
        // A new state folder is not older.
        unlink(folder.file("one/runs.txt"))
        #expect(try !takes())
        withExtendedLifetime(lock) {}
    }

    @Test("D39: A state folder from a backup of the last run lacks the newest number of that run")
    func olderNumber() throws {
        let lock = try lock("one")
        func takes() throws -> Bool {
            try RecordingsOwner.take(folder.file("recordings"), state: folder.file("one"))
        }
        func noteNewFiles() { RecordingsOwner.noteNewFiles(folder.file("recordings"), state: folder.file("one")) }
        #expect(try !takes())
        let first = try folder.read("one/runs.txt")
        noteNewFiles()
        noteNewFiles()
        let backup = try folder.read("one/runs.txt")
        noteNewFiles()
        // Two numbers of a run are enough: the newest may not have reached the recordings folder.
        #expect(try folder.read("one/runs.txt").split(separator: UInt8(ascii: "\n")).count == 2)
        #expect(try !takes())
        for older in [first, backup] {
            noteNewFiles()
            noteNewFiles()
            try folder.write("one/runs.txt", older)
            #expect(try takes())
        }
        #expect(try !takes())
        withExtendedLifetime(lock) {}
    }
}
