// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import TestTools

/// Reads the resource usage of a running process from the kernel (proc(5)).
struct ProcessMeter {
    let pid: pid_t

    /// The CPU time of all its threads together, in nanoseconds (`schedstat`, first field).
    func processorTime() throws -> Int64 {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
        return try threads.reduce(0) { sum, thread in
            let fields = try text("task/\(thread)/schedstat").split(separator: " ")
            return sum + (fields.first.flatMap { Int64($0) } ?? 0)
        }
    }

    /// The resident memory, and the part of it that is private and dirty (`smaps_rollup`), in bytes. The rest is code
    /// and constants, which the kernel may drop and read again at any time.
    func memory() throws -> (resident: Int, dirty: Int) {
        let fields = try fields("smaps_rollup")
        guard let resident = fields["Rss"], let dirty = fields["Private_Dirty"] else {
            throw SetupError("/proc/\(pid)/smaps_rollup says nothing of memory")
        }
        return (resident, dirty)
    }

    /// The anonymous memory in bytes (`RssAnon`): not backed by a file, so neither code nor constants.
    func ownMemory() throws -> Int {
        guard let bytes = try fields("status")["RssAnon"] else {
            throw SetupError("/proc/\(pid)/status says nothing of memory")
        }
        return bytes
    }

    /// The peak resident memory in bytes (`VmHWM`); nil once the process has ended.
    ///
    /// `ru_maxrss` is unsuitable: it is never less than the parent's memory at the start of the child.
    func peakMemory() -> Int? {
        try? fields("status")["VmHWM"]
    }

    /// The entries of a file that are amounts of memory, in bytes.
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
