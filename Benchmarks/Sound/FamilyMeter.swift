// SPDX-License-Identifier: MIT

import Foundation
import TestTools

/// Reads the resource usage of a process and its children together, for a player that decodes in other processes.
struct FamilyMeter {
    let pid: pid_t

    func processorTime() throws -> Int64 {
        try ([pid] + children()).reduce(0) { try $0 + ProcessMeter(pid: $1).processorTime() }
    }

    /// The private dirty memory in bytes.
    func dirtyMemory() throws -> Int {
        try ([pid] + children()).reduce(0) { try $0 + ProcessMeter(pid: $1).memory().dirty }
    }

    func children() throws -> [pid_t] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").flatMap { thread in
            let text = (try? bytes(ofKernelFile: "/proc/\(pid)/task/\(thread)/children")) ?? []
            return String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
        }
    }
}
