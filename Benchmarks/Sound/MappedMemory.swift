// SPDX-License-Identifier: MIT

import Glibc
import TestTools

/// The private dirty memory of a process, by mapped file (`smaps`, proc(5)).
struct MappedMemory {
    /// In bytes. Memory without a file is under the empty name or a name in brackets.
    private(set) var dirty: [String: Int] = [:]

    init(pid: pid_t) throws {
        self.init(String(decoding: try bytes(ofKernelFile: "/proc/\(pid)/smaps"), as: UTF8.self))
    }

    private init(_ text: String) {
        var name = ""
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard let first = words.first else { continue }
            if first == "Private_Dirty:", words.count >= 2, let kibibytes = Int(words[1]) {
                dirty[name, default: 0] += kibibytes << 10
            } else if first.contains("-"), !first.hasSuffix(":") {
                name = words.count == 6 ? String(words[5].drop { $0 == " " }) : ""
            }
        }
    }

    var total: Int { dirty.values.reduce(0, +) }

    /// The paths of the mapped shared libraries.
    var libraries: Set<String> { Set(dirty.keys.filter { $0.contains(".so") }) }

    func total(of names: Set<String>) -> Int { dirty.reduce(0) { names.contains($1.key) ? $0 + $1.value : $0 } }
}
