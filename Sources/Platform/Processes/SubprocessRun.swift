// SPDX-License-Identifier: MIT

import Glibc
import Instants

/// A process from start to end. Confined to its thread, which must live as long as the process: the kernel kills the
/// process when the thread ends.
///
/// Only this thread signals the process and waits for it, so no signal can reach an unrelated process with a reused ID.
final class SubprocessRun {
    private let process: StartedProcess
    private let output: Capture?
    private let errors: Capture?
    private var orders: EndOrders

    /// Starts the program.
    init(_ command: Command) throws(StartError) {
        do throws(SystemError) {
            output = try Capture(command.output)
            errors = try Capture(command.errors)
        } catch {
            throw StartError(step: .process, error: error, path: command.path)
        }
        var own = command
        if let output { own.output = output.stream }
        if let errors { own.errors = errors.stream }
        process = try own.start(endsWithThread: true)
        ProcessGroups.add(process.id)
        orders = EndOrders(deadline: command.deadline.map { .read() + $0 }, grace: command.grace)
        output?.closeWriting()
        errors?.closeWriting()
    }

    /// Watches the process until it has ended. Without process descriptors, another thread waits for the end.
    func finish(_ mustDie: StopFlag, hasProcessDescriptors: Bool) -> SubprocessEnd {
        let descriptor = hasProcessDescriptors ? process.descriptor : nil
        let flag = descriptor == nil ? raisedAtEnd() : nil
        guard let end = descriptor?.number ?? flag?.descriptor else {
            signal(SIGKILL)
            return reap()
        }
        var isDoomed = false
        repeat {
            isDoomed = mustDie.isRaised
            switch orders.order(at: .read(), mustDie: isDoomed) {
            case .ask: signal(SIGTERM)
            case .kill: signal(SIGKILL)
            case nil: break
            }
            // `poll` ignores a negative descriptor. A flag that is raised after it was read wakes the poll.
        } while !wait(for: end, or: isDoomed ? -1 : mustDie.descriptor)
        // Processes that the program has started may remain, and may hold the pipes open, so they are killed.
        signal(SIGKILL)
        readAll()
        return withExtendedLifetime(flag) { reap() }
    }

    /// Signals the process group, which exists until the process has been reaped.
    private func signal(_ number: CInt) {
        kill(-process.id, number)
    }

    /// Blocks until the process ends, there is output, an order arrives or the next signal is due. Returns true if the
    /// process has ended.
    private func wait(for end: CInt, or flag: CInt) -> Bool {
        let pipes = [output, errors].map { $0?.descriptor ?? -1 }
        var entries = ([end, flag] + pipes).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&entries, nfds_t(entries.count), orders.milliseconds(at: .read())) > 0 else { return false }
        readAll()
        return entries[0].revents != 0
    }

    private func readAll() {
        output?.read()
        errors?.read()
    }

    /// A flag that another thread raises once the process has ended; nil if that thread could not be created.
    private func raisedAtEnd() -> StopFlag? {
        guard let flag = try? StopFlag() else { return nil }
        let id = process.id
        let thread = try? WorkerThread.start(name: "subprocess-end") {
            var information = siginfo_t()
            while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            flag.raise()
        }
        return thread == nil ? nil : flag
    }

    private func reap() -> SubprocessEnd {
        ProcessGroups.remove(process.id)
        var status: CInt = 0
        var usage = rusage()
        while wait4(process.id, &status, 0, &usage) < 0, errno == EINTR {}
        let signal = status & 0x7F
        let (user, system) = (usage.ru_utime, usage.ru_stime)
        return SubprocessEnd(
            ending: signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal),
            wasTooSlow: orders.isTooSlow, output: output?.captured ?? .init(),
            errors: errors?.captured ?? .init(),
            processorTime: .seconds(user.tv_sec + system.tv_sec) + .microseconds(user.tv_usec + system.tv_usec))
    }
}
