// SPDX-License-Identifier: MIT

/// A thread for blocking jobs, one after the other, behind a bounded queue. It ends with this object.
package final class JobThread: Sendable {
    private let jobs = Mailbox<[@Sendable () -> Void]>([])
    private let most: Int

    /// `most`: how many jobs may wait.
    package init(name: String, most: Int) throws(SystemError) {
        self.most = most
        try WorkerThread.start(name: name) { [jobs] in
            while let job = jobs.take({ $0.isEmpty ? nil : $0.removeFirst() }) { job() }
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
}
