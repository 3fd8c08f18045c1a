// SPDX-License-Identifier: MIT

package import Glibc

/// What the kernel reports about a running process (`/proc/[pid]/status`, proc(5)).
package struct ProcessStatus: Sendable {
    package let threads: Int
    /// The resident memory in bytes.
    package let residentMemory: Int
    /// The resident anonymous memory in bytes: allocated by the process and not backed by a file, so without the
    /// program's pages.
    package let anonymousMemory: Int
    /// The peak resident memory in bytes since the program was loaded. The value of `getrusage` would include the
    /// parent's memory.
    package let peakMemory: Int

    /// Reads the status of `pid`, or of this process if nil. Returns nil once the process has ended.
    package init?(of pid: pid_t? = nil) {
        let path = "/proc/\(pid.map { "\($0)" } ?? "self")/status"
        guard let status = try? bytes(ofFile: path) else { return nil }
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        func number(_ name: String) -> Int? {
            lines.first { $0.hasPrefix(name + ":") }.flatMap { line in
                Int(line.dropFirst(name.count + 1).drop { $0.isWhitespace }.prefix { $0.isNumber })
            }
        }
        // A zombie process has no memory, so these lines are missing.
        guard let threads = number("Threads"), let resident = number("VmRSS"), let anonymous = number("RssAnon"),
            let peak = number("VmHWM")
        else { return nil }
        (self.threads, residentMemory, anonymousMemory) = (threads, resident << 10, anonymous << 10)
        peakMemory = peak << 10
    }

    /// The number of open descriptors of this process; only descriptors below 1,024 are counted.
    package static var openDescriptors: Int { (0..<1024).count { fcntl(CInt($0), F_GETFD) != -1 } }
}
