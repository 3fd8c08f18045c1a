// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Instants

/// Starts a program as the leader of a new process group, with no descriptors but 0 to 2 and no signal blocked or
/// ignored, and returns its process id (`posix_spawn`).
func spawn(
    _ path: String, _ arguments: [String], environment: [String: String], directory: String?, output: CInt?,
    outputPath: String, errorPath: String
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    if let output {
        posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    }
    posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    _ = ac_spawn_close_from(&actions, 3)
    if let directory { _ = ac_spawn_change_folder(&actions, directory) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let inherited = inheritedEnvironment().merging(environment) { $1 }
    let argumentVector = CStrings([path] + arguments)
    let environmentVector = CStrings(inherited.map { "\($0)=\($1)" })
    var pid: pid_t = 0
    let failure = posix_spawn(&pid, path, &actions, &attributes, argumentVector.pointers, environmentVector.pointers)
    guard failure == 0 else { throw SetupError("cannot start \(path): \(String(cString: strerror(failure)))") }
    return pid
}

/// Takes the status of a process that has ended (`wait4`).
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

/// A null-terminated vector of C strings that lives as long as the object.
private final class CStrings {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) {
        pointers = strings.map { strdup($0) } + [nil]
    }

    deinit {
        for pointer in pointers { free(pointer) }
    }
}
