// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats
import TestSupport
import TestTools

/// Checks a daemon that has 64 MiB of memory and cannot start threads. It records and relays as usual while it gets
/// commands of all kinds.
struct SmallMachine: SoakCase {
    let name = "small-machine"
    let hazard = "H4"

    private static let memory = 64 << 20
    private static let listeners = 500
    private static let seconds = 30

    func run(_ plan: SoakPlan) throws -> String {
        guard geteuid() == 0 else { return "SKIPPED: only root can limit a process" }
        let programme = Broadcast([.music(.seconds(180))], MPEGShape(128), seed: plan.seed)
        let group = try ControlGroup(memory: Self.memory)
        let run = try DaemonRun(
            programme, more: "[[hook]]\non = \"recording-finished\"\nrun = [\"/bin/cat\"]",
            prepare: ["/bin/sh", "-c", "\(group.join); exec \"$@\"", "sh"])
        try group.stopThreads()
        let audience = try Audience(Self.listeners, port: run.port, path: "/a")
        for _ in 0..<Self.seconds / 5 {
            try run.pause(5)
            try run.ask(["recordings", "rescan"])
            try run.ask(["record", "a", "--for", "1s"])
        }
        let peak = try group.peakMemory()
        let heard = try audience.leave().map { FrameChecker(programme).check(cutOff: $0.body) }
        try run.end()
        // Hooks must fail, because each hook is a new process.
        let refusal = "hook 1 failed for recording-finished: cannot run /bin/cat"
        try Harm.unless(run.daemon.errorSoFar.contains(refusal), "no hook was refused:\n\(run.daemon.errorSoFar)")
        let names = run.folder.names(in: "recordings").filter { $0.hasSuffix(".mp3") }
        try Harm.unless(names.count > 2, "\(names)")
        for name in names {
            let frames = FrameChecker(programme).check([try run.folder.read("recordings/\(name)")])
            try Harm.unless(frames.isExact, "\(name): \(frames)")
        }
        try Harm.unless(
            heard.allSatisfy { $0.isExact && $0.places.count > (Self.seconds - 2) * 38 }, "a listener missed something")
        return "\(Self.listeners) listeners and \(names.count) recordings, \(peak >> 20) MiB at most; "
            + "no new threads, and no new processes for hooks"
    }
}

/// A control group of the kernel (cgroups(7), version 1 or 2) with a limit on memory. It can also limit threads.
/// Requires root. The group is removed when the object is released.
private final class ControlGroup {
    private let memory: String
    private let pids: String
    private let isUnified: Bool

    init(memory limit: Int) throws {
        isUnified = access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0
        let name = "aircheck-soak-\(getpid())"
        memory = "/sys/fs/cgroup/\(isUnified ? "" : "memory/")\(name)"
        pids = "/sys/fs/cgroup/\(isUnified ? "" : "pids/")\(name)"
        for path in Set([memory, pids]) {
            guard mkdir(path, 0o755) == 0 else {
                throw SetupError("\(path) cannot be made: \(String(cString: strerror(errno)))")
            }
        }
        try Self.write("\(limit)", to: "\(memory)/\(isUnified ? "memory.max" : "memory.limit_in_bytes")")
    }

    deinit { for path in [memory, pids] { rmdir(path) } }

    /// A shell command that moves its shell into the group.
    var join: String { "echo $$ >\(memory)/cgroup.procs && echo $$ >\(pids)/cgroup.procs" }

    /// Prevents the start of further threads and processes.
    func stopThreads() throws { try Self.write("1", to: "\(pids)/pids.max") }

    /// The peak memory of the group in bytes, including the pages of files.
    func peakMemory() throws -> Int {
        let path = "\(memory)/\(isUnified ? "memory.peak" : "memory.max_usage_in_bytes")"
        return Int(String(decoding: try bytes(ofFile: path), as: UTF8.self).filter(\.isNumber)) ?? 0
    }

    private static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
            throw SetupError("cannot write \(text) to \(path): \(String(cString: strerror(errno)))")
        }
    }
}
