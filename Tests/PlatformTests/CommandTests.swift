// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TestTools
import Testing

struct CommandTests {
    @Test("A program has the environment and folder that it is given, and its own process group")
    func surroundings() async throws {
        var command = Command("/usr/bin/env")
        command.environment = ["A": "1", "B": "two words"]
        command.output = .captured(limit: 1_000)
        let environment = try await onThread { [command] in try command.run() }
        #expect(environment.lines.sorted() == ["A=1", "B=two words"])
        var place = Command.shell("pwd; echo $$; cut -d' ' -f5 /proc/self/stat; true")
        place.folder = "/usr"
        let lines = try await onThread { [place] in try place.run().lines }
        #expect(lines.count == 3 && lines[0] == "/usr" && lines[1] == lines[2])
    }

    @Test("H21: A program gets the bytes of paths that are not UTF-8, as arguments and in its environment")
    func rawBytes() async throws {
        var command = Command("/bin/sh", ["-c", "printf '%s-%s' \"$1\" \"$A\"", "sh", "s\u{10FEFC}"])
        command.environment = ["A": "\u{10FEE9}"]
        command.output = .captured(limit: 1_000)
        let end = try await onThread { [command] in try command.run() }
        #expect(end.output.bytes == [0x73, 0xFC, 0x2D, 0xE9])
    }

    @Test("A program has no descriptors except those that are named") func descriptors() async throws {
        // A descriptor without close-on-exec, as libraries may have.
        let stray = fcntl(STDIN_FILENO, F_DUPFD, 300)
        defer { close(stray) }
        let (reading, writing) = try Descriptor.pipe()
        var command = Command("/bin/ls", ["/proc/self/fd"])
        command.output = .captured(limit: 1_000)
        // The last descriptor is that of the folder being listed.
        let alone = try await onThread { [command] in try command.run().lines }
        #expect(stray >= 300 && alone == ["0", "1", "2", "3"])
        command.descriptors = [writing.number, stray]
        let named = try await onThread { [command] in try command.run().lines }
        #expect(named == ["0", "1", "2", "3", "4", "5"])
        var talker = Command.shell("echo hello >&3")
        talker.descriptors = [writing.number]
        let end = try await onThread { [talker] in try talker.run() }
        var bytes = [UInt8](repeating: 0, count: 10)
        let count = read(reading.number, &bytes, bytes.count)
        #expect(end.ending == .exited(0) && bytes.prefix(max(0, count)) == Array("hello\n".utf8)[...])
    }

    @Test("Descriptors are put in their places, whatever their numbers were") func descriptorOrder() async {
        await #expect(processExitsWith: .success) {
            // The descriptors are passed in reverse order.
            let files = ["/dev/null", "/dev/zero", "/dev/full"].map { (path: String) in open(path, O_RDWR) }
            var command = Command("/bin/readlink", ["/proc/self/fd/3", "/proc/self/fd/4", "/proc/self/fd/5"])
            command.descriptors = [files[2], files[1], files[0]]
            command.output = .captured(limit: 1_000)
            let lines = try command.run().lines
            #expect(lines == ["/dev/full", "/dev/zero", "/dev/null"])
        }
    }

    @Test("Signals ignored or blocked in this process are neither in the program") func signals() async throws {
        // Every loop ignores SIGPIPE, and worker threads block all signals.
        signal(SIGPIPE, SIG_IGN)
        let script = "grep -E 'SigBlk|SigIgn' /proc/self/status"
        let lines = try await onThread { try Command.shell(script).run().lines }
        #expect(lines == ["SigBlk:\t0000000000000000", "SigIgn:\t0000000000000000"])
    }

    @Test("The limits of a program apply") func limits() async throws {
        var bounded = Command.shell("ulimit -n; ulimit -c; ulimit -v")
        bounded.limits.descriptors = 20
        bounded.limits.memory = 256 << 20
        let told = try await onThread { [bounded] in try bounded.run().lines }
        #expect(told == ["20", "0", "\(256 << 10)"])
        // With a limit of three, no descriptor is left for the program's libraries.
        var closed = Command("/bin/ls")
        closed.limits.descriptors = 3
        let libraries = try await onThread { [closed] in try closed.run() }
        #expect(libraries.ending == .exited(127))
        // tail keeps the whole line in memory.
        var greedy = Command.shell("exec tail -n 1 /dev/zero")
        greedy.limits.memory = 256 << 20
        let memory = try await onThread { [greedy] in try greedy.run() }
        #expect(memory.ending != .exited(0) && memory.complaint.contains("memory"))
        var busy = Command.shell("while :; do :; done")
        busy.limits.processorSeconds = 1
        let processor = try await onThread { [busy] in try busy.run() }
        #expect([.signalled(SIGXCPU), .signalled(SIGKILL)].contains(processor.ending))
        // Time that a host takes from its virtual machine counts towards the limit, but not as processor time.
        #expect(processor.processorTime > .milliseconds(400) && processor.processorTime < .seconds(2))
    }

    @Test("A program that cannot be started is reported with the reason") func cannotStart() async throws {
        let missing = try await failure(of: Command("/nowhere/program"))
        #expect(missing?.step == .program && missing?.error.number == ENOENT)
        #expect(missing?.description == "cannot run /nowhere/program: No such file or directory")
        var homeless = Command("/bin/true")
        homeless.folder = "/nowhere"
        let reason = try await failure(of: homeless)?.description
        #expect(reason == "cannot run /bin/true in its folder: No such file or directory")
        var many = Command("/bin/true")
        many.descriptors = [CInt](repeating: 0, count: Command.mostDescriptors + 1)
        #expect(try await failure(of: many)?.step == .descriptors)
    }

    private func failure(of command: Command) async throws -> StartError? {
        try await onThread {
            do {
                _ = try command.run()
                return nil
            } catch let error as StartError {
                return error
            }
        }
    }
}
