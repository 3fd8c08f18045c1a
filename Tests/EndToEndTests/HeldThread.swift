// SPDX-License-Identifier: MIT

import CBenchTools
import Foundation
import Glibc
import TestSupport
import TestTools

/// One thread of another process that is kept from running (ptrace(2)), while the other threads of that process
/// continue. The thread continues when the object is released, unless its process has been killed.
final class HeldThread: Sendable {
    /// Where a thread is held.
    enum Place: Sendable {
        /// Asleep, as if its next step never ended. A thread at work may hold a lock that the others need, such as that
        /// of the memory allocator.
        case asleep
        /// In the call that writes to a file, as if the disk did not answer.
        case write
    }

    private let end = Gate()

    /// Stops the thread with this name. All ptrace requests for it are made on one thread, as ptrace(2) requires.
    init(_ name: String, of process: pid_t, _ place: Place = .asleep) async throws {
        let isAsleep = try await waitUntil(.seconds(20)) {
            try Self.threads(of: process).contains { $0.name == name && $0.state == "S" }
        }
        guard isAsleep, let thread = try Self.threads(of: process).first(where: { $0.name == name })?.id else {
            throw SetupError("process \(process) has no thread '\(name)' that sleeps")
        }
        let outcome = Watched<CInt?>(nil)
        startThread("test-holder") { [end] in
            var failed = ac_thread_stop(thread) != 0
            if !failed, place == .write { failed = ac_thread_stop_in_write(thread) != 0 }
            let error = failed ? errno : 0
            outcome.change { $0 = error }
            while !failed, ac_thread_has_ended(thread) == 0, !end.wait(within: .milliseconds(20)) {}
        }
        let error = try await onThread { outcome.wait(within: .seconds(20)) { $0 } }
        guard error == 0 else { throw SetupError("thread '\(name)' cannot be held: errno \(error ?? ETIMEDOUT)") }
    }

    deinit { end.open() }

    /// A thread with its state as in proc(5): `t` is stopped by a tracer, `S` is asleep.
    struct Thread: Sendable {
        let id: pid_t
        let name: String
        let state: Character
    }

    /// All threads of a process.
    static func threads(of process: pid_t) throws -> [Thread] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").compactMap { entry in
            // A thread may end meanwhile. The name is in parentheses, and may hold any character.
            guard let id = pid_t(entry), let bytes = try? bytes(ofKernelFile: "/proc/\(process)/task/\(entry)/stat")
            else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            guard let from = text.firstIndex(of: "("), let to = text.lastIndex(of: ")") else { return nil }
            guard let state = text[to...].dropFirst(2).first else { return nil }
            return Thread(id: id, name: String(text[from..<to].dropFirst()), state: state)
        }
    }
}
