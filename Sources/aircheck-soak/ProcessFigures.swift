// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestTools

/// The clock for the cases.
enum SoakClock {
    /// Whole seconds of the monotonic clock.
    static func seconds() -> Int64 { MonotonicInstant.now.nanoseconds / 1_000_000_000 }

    /// The wall clock.
    static var wall: WallInstant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

/// The resource use of processes.
enum ProcessFigures {
    /// The resident memory of this process in KiB.
    static func residentKiB() throws -> Int {
        guard let status = ProcessStatus() else { throw SetupError("the kernel reports nothing about this process") }
        return status.residentMemory >> 10
    }

    /// KiB of memory that a process has written to and shares with no other process (`Private_Dirty` of `smaps_rollup`,
    /// proc(5)).
    static func dirtyKiB(of pid: pid_t) throws -> Int {
        let rollup = String(decoding: try bytes(ofFile: "/proc/\(pid)/smaps_rollup"), as: UTF8.self)
        let line = rollup.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") }
        guard let words = line?.split(separator: " "), words.count == 3, let kibibytes = Int(words[1]) else {
            throw SetupError("the kernel reports no memory of process \(pid)")
        }
        return kibibytes
    }

    /// The number of descriptors that a process has open.
    static func descriptors(of pid: pid_t) throws -> Int {
        guard let folder = opendir("/proc/\(pid)/fd") else { throw SetupError("process \(pid) shows no descriptors") }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without the entries `.` and `..`.
        return count - 2
    }

    /// The processor time that a process has used, in seconds (proc_pid_stat(5), utime and stime).
    static func processorSeconds(of pid: pid_t) throws -> Double {
        let text = String(decoding: try bytes(ofKernelFile: "/proc/\(pid)/stat"), as: UTF8.self)
        // The program's name stands before the fields in parentheses, and may have spaces. So the fields begin after
        // the last parenthesis.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw SetupError("the kernel reports nothing about process \(pid)")
        }
        return (user + system) / Double(sysconf(CInt(_SC_CLK_TCK)))
    }
}
