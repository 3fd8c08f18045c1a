// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// What the kernel knows of a running process (proc(5)).
struct ProcessMeter {
    let pid: pid_t

    /// Nanoseconds that all its threads together have been on a processor (`schedstat`, first field).
    func processorTime() throws -> Int64 {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
        return try threads.reduce(0) { sum, thread in
            let fields = try text("task/\(thread)/schedstat").split(separator: " ")
            return sum + (fields.first.flatMap { Int64($0) } ?? 0)
        }
    }

    /// Memory in bytes: what is resident, and what of it the process alone has and has written to (`smaps_rollup`). The
    /// rest is code and constants, which the kernel may drop and read again whenever it likes.
    func memory() throws -> (resident: Int, dirty: Int) {
        let fields = try fields("smaps_rollup")
        guard let resident = fields["Rss"], let dirty = fields["Private_Dirty"] else {
            throw SetupError("/proc/\(pid)/smaps_rollup says nothing of memory")
        }
        return (resident, dirty)
    }

    /// Memory of its own, in bytes: what holds no file, so neither code nor constants (`RssAnon`).
    func ownMemory() throws -> Int {
        guard let bytes = try fields("status")["RssAnon"] else {
            throw SetupError("/proc/\(pid)/status says nothing of memory")
        }
        return bytes
    }

    /// The most memory that was ever resident, in bytes (`VmHWM`); nil once the process has ended.
    ///
    /// `ru_maxrss` would not do: it is never less than what the parent had when it started the child.
    func peakMemory() -> Int? {
        try? fields("status")["VmHWM"]
    }

    /// The lines of a file that name an amount of memory, in bytes.
    private func fields(_ name: String) throws -> [Substring: Int] {
        var result: [Substring: Int] = [:]
        for line in try text(name).split(separator: "\n") {
            let words = line.split { $0 == " " || $0 == "\t" || $0 == ":" }
            guard words.count == 3, words[2] == "kB", let kibibytes = Int(words[1]) else { continue }
            result[words[0]] = kibibytes << 10
        }
        return result
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try bytes(ofFile: "/proc/\(pid)/\(name)"), as: UTF8.self)
    }
}
