// SPDX-License-Identifier: MIT

import Glibc
import Storage
import TestTools
import Testing

struct FileReplacementTests {
    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test("A replaced file keeps its mode, and its place behind a link") func modeAndLink() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("real.toml", "old")
        chmod(path, 0o640)
        symlink("real.toml", folder.file("link.toml"))
        let replacement = FileReplacement(path: folder.file("link.toml"))
        try replacement.write(Array("new".utf8), over: Array("old".utf8), isPrivate: true)
        #expect(try folder.read("real.toml") == Array("new".utf8))
        #expect(mode(path) == 0o640)
        #expect(folder.names().sorted() == ["link.toml", "real.toml"])
    }

    @Test("A file that another program has changed is not replaced") func changedFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.toml", "theirs")
        #expect(throws: FileReplacement.Problem.changed) {
            try FileReplacement(path: path).write([1], over: Array("old".utf8), isPrivate: false)
        }
        #expect(try folder.read("a.toml") == Array("theirs".utf8))
        #expect(folder.names() == ["a.toml"])
    }

    @Test("A new file is created with its folders, and a private one is readable by its owner only")
    func newFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a/b/c.toml")
        try FileReplacement(path: path).write([1], over: [], isPrivate: true)
        #expect(try folder.read("a/b/c.toml") == [1])
        #expect(mode(path) == 0o600)
        #expect(throws: FileReplacement.Problem.self) {
            try FileReplacement(path: folder.file("a/b/c.toml/d.toml")).write([1], over: [], isPrivate: true)
        }
    }
}
