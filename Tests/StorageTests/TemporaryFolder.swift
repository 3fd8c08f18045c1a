// SPDX-License-Identifier: MIT

import Glibc

/// A folder for one test, removed with everything in it.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/aircheck-storage-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXFailure(number: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        removeTree("")
        rmdir(path)
    }

    private func removeTree(_ folder: String) {
        for name in names(folder) {
            let inner = folder.isEmpty ? name : folder + "/" + name
            if unlink(path + "/" + inner) != 0 {
                removeTree(inner)
                rmdir(path + "/" + inner)
            }
        }
    }

    /// The names in it or in a folder of it, sorted.
    func names(_ folder: String = "") -> [String] {
        guard let stream = opendir(path + "/" + folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func read(_ name: String) -> [UInt8]? {
        let descriptor = open(path + "/" + name, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    func write(_ name: String, _ bytes: [UInt8]) {
        let descriptor = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        _ = Glibc.write(descriptor, bytes, bytes.count)
        close(descriptor)
    }
}

struct POSIXFailure: Error {
    var number: CInt
}
