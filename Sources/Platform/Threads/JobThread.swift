// SPDX-License-Identifier: MIT

/// A thread for blocking jobs, the newest first: many may wait, and no lock is held for all of them. It ends with this
/// object.
package final class JobThread: Sendable {
    private let jobs = Mailbox<[@Sendable () -> Void]>([])
    private let most: Int

    /// `most`: how many jobs may wait. `isPatient`: see ``WorkerThread/start(name:stackSize:isPatient:_:)``.
    package init(name: String, most: Int, isPatient: Bool = false) throws(SystemError) {
        self.most = most
        try WorkerThread.start(name: name, isPatient: isPatient) { [jobs] in
            while let job = jobs.take({ $0.popLast() }) { job() }
        }
    }

    deinit { jobs.abandon { $0 = [] } }

    /// Runs a job on the thread, later. Returns false if too many are waiting. Any thread may call this.
    package func run(_ job: @escaping @Sendable () -> Void) -> Bool {
        jobs.put { jobs in
            guard jobs.count < most else { return false }
            jobs.append(job)
            return true
        } ?? false
    }

    /// Blocks a job for `duration`. Returns false, perhaps earlier, if nobody needs the thread any more.
    package func rest(for duration: Duration) -> Bool { jobs.rest(for: duration) }
}
