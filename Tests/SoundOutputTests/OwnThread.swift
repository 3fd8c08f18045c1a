// SPDX-License-Identifier: MIT

import TestTools
import Testing

/// Runs each test of a suite on its own thread. An output blocks its caller, and the pool of tests has only as many
/// threads as the machine has cores.
struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> OwnThread? { testCase == nil ? nil : self }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadForEachJob()) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    static var ownThread: OwnThread { OwnThread() }
}

private final class ThreadForEachJob: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        startThread("test-sound") { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
