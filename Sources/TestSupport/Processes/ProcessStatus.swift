// SPDX-License-Identifier: MIT

package import Glibc

/// What the kernel says of a process that runs (`/proc/[pid]/status`, proc(5)).
package struct ProcessStatus: Sendable {
    package let threads: Int
    /// Bytes of memory that are resident.
    package let residentMemory: Int
    /// Those of them that no file is behind: what the process has made itself, without the pages of its program.
    package let anonymousMemory: Int
    /// The most that were, since the program was loaded. Of `getrusage` it would be what the parent had, too.
    package let peakMemory: Int

    /// Reads it, of this process where none is named; nil once that has ended.
    package init?(of pid: pid_t? = nil) {
        let path = "/proc/\(pid.map { "\($0)" } ?? "self")/status"
        guard let status = try? bytes(ofFile: path) else { return nil }
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        func number(_ name: String) -> Int? {
            lines.first { $0.hasPrefix(name + ":") }.flatMap { line in
                Int(line.dropFirst(name.count + 1).drop { $0.isWhitespace }.prefix { $0.isNumber })
            }
        }
        // A process that has ended and waits for its parent has no memory.
        guard let threads = number("Threads"), let resident = number("VmRSS"), let anonymous = number("RssAnon"),
            let peak = number("VmHWM")
        else { return nil }
        (self.threads, residentMemory, anonymousMemory) = (threads, resident << 10, anonymous << 10)
        peakMemory = peak << 10
    }

    /// How many descriptors this process has open, of the first thousand.
    package static var openDescriptors: Int { (0..<1024).count { fcntl(CInt($0), F_GETFD) != -1 } }
}
