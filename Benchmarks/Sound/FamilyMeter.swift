// SPDX-License-Identifier: MIT

import Glibc
import TestSupport

/// What the kernel knows of a running process and its children together: of a player that has others decode for it.
struct FamilyMeter {
    let pid: pid_t

    func processorTime() throws -> Int64 {
        try ([pid] + children()).reduce(0) { try $0 + ProcessMeter(pid: $1).processorTime() }
    }

    /// Bytes of private memory that were written to.
    func dirtyMemory() throws -> Int {
        try ([pid] + children()).reduce(0) { try $0 + ProcessMeter(pid: $1).memory().dirty }
    }

    func children() throws -> [pid_t] {
        try processThreads().flatMap { thread in
            let text = (try? bytes(ofFile: "/proc/\(pid)/task/\(thread)/children")) ?? []
            return String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
        }
    }

    private func processThreads() throws -> [String] {
        guard let folder = opendir("/proc/\(pid)/task") else { throw SetupError("process \(pid) is gone") }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.first?.isNumber == true { names.append(name) }
        }
        return names
    }
}
