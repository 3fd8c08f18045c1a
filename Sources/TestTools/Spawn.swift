// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Platform

/// Starts a program as the leader of a new process group, with descriptors 0 to 2 only. Returns its process ID.
func spawn(
    _ path: String, _ arguments: [String], environment: [String: String], directory: String?, output: CInt?,
    outputPath: String, errorPath: String
) throws -> pid_t {
    var command = Command(path, arguments)
    command.environment = inheritedEnvironment().merging(environment) { $1 }
    command.folder = directory
    let errors = try create(errorPath, O_APPEND)
    command.errors = .descriptor(errors.number)
    let file = output == nil ? try create(outputPath, O_TRUNC) : nil
    command.output = (output ?? file?.number).map { .descriptor($0) } ?? .nothing
    do throws(StartError) {
        return try withExtendedLifetime((errors, file)) { () throws(StartError) in
            try command.start(endsWithThread: false).id
        }
    } catch {
        throw SetupError("\(error)")
    }
}

private func create(_ path: String, _ flags: CInt) throws -> Descriptor {
    Descriptor(owning: try systemCall { open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o644) })
}

/// Reaps a process that has ended (`wait4`) and returns its status.
func reap(_ pid: pid_t) -> ChildProcess.End {
    var status: CInt = 0
    var usage = rusage()
    while wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
    let signal = status & 0x7F
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return ChildProcess.End(
        ending: signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal),
        processorSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), peakMemory: usage.ru_maxrss * 1024,
        at: .now)
}

private func inheritedEnvironment() -> [String: String] {
    var result: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
        let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
        next += 1
    }
    return result
}
