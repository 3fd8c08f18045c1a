// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TestTools
import Testing

/// Real programs. Long-running ones would sleep for a quarter of an hour.
struct SubprocessTests {
    @Test("A program's end is reported with the output that was to be kept", arguments: [true, false])
    func end(hasDescriptors: Bool) async throws {
        var command = Command.shell("head -c 300000 /dev/zero; echo oops >&2; exit 3")
        command.output = .captured(limit: 1_000)
        let end = try await onThread { [command] in try command.run(hasProcessDescriptors: hasDescriptors) }
        #expect(end.ending == .exited(3) && !end.wasTooSlow)
        #expect(end.output.bytes == [UInt8](repeating: 0, count: 1_000) && end.output.count == 300_000)
        #expect(end.complaint == "oops\n")
    }

    @Test("A program is asked to end at its deadline, and killed at once when it must die", arguments: [true, false])
    func ending(hasDescriptors: Bool) async throws {
        let ends = try await onThread {
            var slow = Command("/bin/sleep", ["900"])
            slow.deadline = .milliseconds(50)
            return [
                try slow.run(hasProcessDescriptors: hasDescriptors),
                try Command("/bin/sleep", ["900"]).run(hasProcessDescriptors: hasDescriptors) { $0.kill() },
            ]
        }
        #expect(ends.map(\.ending) == [.signalled(SIGTERM), .signalled(SIGKILL)])
        #expect(ends.map(\.wasTooSlow) == [true, false])
    }

    @Test("A deadline ends a program and all processes that it started") func deadline() async throws {
        let end = try await onThread {
            var command = Command.shell("trap '' TERM; sleep 900 & echo $!; while :; do sleep 900; done")
            command.deadline = .milliseconds(500)
            command.grace = .milliseconds(100)
            return try command.run()
        }
        #expect(end.ending == .signalled(SIGKILL) && end.wasTooSlow)
        let grandchild = try #require(end.lines.first.flatMap { pid_t($0) })
        #expect(try await onThread { hasEnded(grandchild) })
    }

    @Test("A process that a program leaves behind is ended, although it holds the output")
    func leftBehind() async throws {
        let end = try await onThread { try Command.shell("sleep 900 & echo $!").run() }
        #expect(end.ending == .exited(0))
        let grandchild = try #require(end.lines.first.flatMap { pid_t($0) })
        #expect(try await onThread { hasEnded(grandchild) })
    }

    @Test("A program ends when its object is released") func released() async throws {
        let process = try await onThread {
            let end = Watched<Result<SubprocessEnd, StartError>?>(nil)
            var process: Subprocess? = try Subprocess(Command("/bin/sleep", ["900"])) { result in
                end.change { $0 = result }
            }
            _ = process
            process = nil
            return end.wait(within: .seconds(60)) { $0 }
        }
        #expect(try process?.get().ending == .signalled(SIGKILL))
    }

    @Test("A program is killed when this process is killed") func parentKilled() async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let command = Command.shell("echo $$ > \(path)/new; mv \(path)/new \(path)/pid; exec sleep 900")
            let process = try Subprocess(command) { _ in }
            #expect(waitUntil(.seconds(30)) { access("\(path)/pid", F_OK) == 0 })
            withExtendedLifetime(process) { _ = kill(getpid(), SIGKILL) }
        }
        let text = String(decoding: try folder.read("pid").dropLast(), as: UTF8.self)
        let orphan = try #require(pid_t(text))
        #expect(try await onThread { hasEnded(orphan) })
    }

    @Test("A program's exit status is known even if SIGCHLD is ignored") func ignoredSIGCHLD() async {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD, SIG_IGN)
            let end = try Command.shell("exit 3").run()
            #expect(end.ending == .exited(3))
        }
    }

    @Test("A thousand programs leave no descriptors and no processes behind") func aThousand() async {
        await #expect(processExitsWith: .success) {
            func start(_ count: Int) throws {
                let ended = Watched(0)
                let processes = try (0..<count).map { _ in
                    var command = Command("/bin/true")
                    command.output = .captured(limit: 10)
                    return try Subprocess(command) { result in
                        if case .success(let end) = result, end.ending == .exited(0) { ended.change { $0 += 1 } }
                    }
                }
                #expect(ended.wait(within: .seconds(60)) { $0 == count ? $0 : nil } == count)
                withExtendedLifetime(processes) {}
            }
            try start(1)
            let before = ProcessStatus.openDescriptors
            for _ in 0..<50 { try start(20) }
            // Threads close their descriptors a moment after they have reported the end.
            #expect(waitUntil(.seconds(30)) { ProcessStatus.openDescriptors <= before })
            #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
        }
    }
}
