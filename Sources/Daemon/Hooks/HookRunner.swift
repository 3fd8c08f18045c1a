// SPDX-License-Identifier: MIT

package import Configuration
package import CurlClient
package import EventLoop
import Instants
import Platform
import RadioFormats

/// Notifies hooks of events: runs programs, sends requests and mails. Confined to the loop's thread; nothing here
/// blocks.
///
/// Each hook handles one event at a time, and at most ``mostAtOnce`` hooks run at once. At most 64 events wait for each
/// hook; if more arrive, the oldest are dropped. The failure of a hook only causes a notice. A request that fails
/// because of the network is repeated once after ten seconds, and later events may overtake it meanwhile.
package final class HookRunner {
    private let reactor: any Reactor
    private let client: any HTTPClient
    private let sendmail: String
    private let words: (HookEvent) -> HookMessage
    private let onNotice: (HookNotice) -> Void
    private lazy var bound = reactor.bind(self)
    private lazy var timer = reactor.makeTimer { [weak self] in self?.proceed() }
    private var queue = HookQueue()
    private var running: [Int: Run] = [:]
    private var serial = 0
    private var isReportDue = false
    private var isClosed = false

    /// A program or a request that is running for a hook, with its job.
    private struct Run {
        let job: HookJob
        let activity: Activity
    }

    private enum Activity {
        case program(Subprocess)
        case post(HookPost)
    }

    package static let mostAtOnce = 4
    private static let pause = Duration.seconds(10)

    /// The hooks. A change applies to later events. Waiting and running jobs are not affected.
    package var settings: [HookSettings] = []

    /// `sendmail` is the path of a program that takes mails as Sendmail does. `words` describes an event for people.
    /// `onNotice` is called on the loop's thread, possibly during ``hear(_:)``.
    package init(
        reactor: any Reactor, client: any HTTPClient, sendmail: String = "/usr/sbin/sendmail",
        words: @escaping (HookEvent) -> HookMessage, onNotice: @escaping (HookNotice) -> Void
    ) {
        self.reactor = reactor
        self.client = client
        self.sendmail = sendmail
        self.words = words
        self.onNotice = onNotice
    }

    /// The number of hooks running now.
    var runningCount: Int { running.count }

    /// Whether no job waits or runs.
    package var isIdle: Bool { queue.isEmpty && running.isEmpty }

    /// Notifies the hooks of an event.
    package func hear(_ event: HookEvent) {
        guard !isClosed else { return }
        for (hook, settings) in settings.enumerated() where settings.events.contains(event.kind) {
            enqueue { $0.add(HookJob(hook: hook, settings: settings, event: event)) }
        }
        proceed()
    }

    /// Kills running programs, cancels running requests, and drops waiting jobs. Idempotent.
    package func close() {
        isClosed = true
        queue.removeAll()
        timer.cancel()
        for run in running.values { if case .post(let post) = run.activity { post.cancel() } }
        // Releasing the object that runs a program kills the program.
        running = [:]
    }

    // MARK: Running

    private func proceed() {
        while !isClosed, running.count < Self.mostAtOnce, let job = queue.next(at: reactor.now, besides: busy) {
            begin(job)
        }
        reportRoom()
        // The timer is only for second attempts that are not due yet. A job that waits for a busy hook or for a free
        // place is considered again when a run ends.
        guard !isClosed, running.count < Self.mostAtOnce, let next = queue.nextAttempt(besides: busy) else {
            return timer.cancel()
        }
        timer.arm(at: next)
    }

    private var busy: Set<Int> { Set(running.values.map(\.job.hook)) }

    private func begin(_ job: HookJob) {
        serial += 1
        let settings = job.settings
        switch settings.action {
        case .command(let words):
            let program = HookProgram(
                words.first ?? "", Array(words.dropFirst()), input: job.event.json.encoded(.pretty), for: job)
            run(program, of: job)
        case .mail(let address):
            guard let mail = HookMail(to: address, about: job.event, words(job.event)) else {
                return fail(job, "its address is not a plain mail address")
            }
            run(HookProgram(sendmail, ["-i", "--", mail.address], input: mail.message, for: job), of: job)
        case .post(let url): send(.post(job.event, to: url, settings), of: job)
        case .ntfy(let url): send(.ntfy(words(job.event), about: job.event.kind, to: url, settings), of: job)
        }
    }

    private func run(_ program: HookProgram, of job: HookJob) {
        do throws(SystemError) {
            let process = try Subprocess(program.command, input: program.input) {
                [bound, serial, deadline = job.settings.deadline] result in
                bound.tell { $0.ended(serial, HookOutcome(result, deadline: deadline)) }
            }
            running[serial] = Run(job: job, activity: .program(process))
        } catch {
            fail(job, "cannot run \(command(of: job)): \(error)")
        }
    }

    private func command(of job: HookJob) -> String {
        if case .command(let words) = job.settings.action { words.first ?? "" } else { sendmail }
    }

    private func send(_ request: TransferRequest, of job: HookJob) {
        let post = HookPost(request, client: client, reactor: reactor, deadline: job.settings.deadline) {
            [weak self, serial] in self?.ended(serial, $0)
        }
        running[serial] = Run(job: job, activity: .post(post))
    }

    private func ended(_ number: Int, _ outcome: HookOutcome) {
        guard let run = running.removeValue(forKey: number) else { return }
        if outcome.isWorthRepeating, run.job.notBefore == nil {
            enqueue { $0.addAgain(run.job, at: reactor.now + Self.pause) }
        } else if let failure = outcome.failure {
            fail(run.job, failure)
        }
        if !outcome.output.isEmpty { onNotice(.output(hook: run.job.hook, text: outcome.output)) }
        proceed()
    }

    private func fail(_ job: HookJob, _ why: String) {
        onNotice(.failed(hook: job.hook, job.event.kind, why: why))
    }

    // MARK: Dropped events

    private func enqueue(_ change: (inout HookQueue) -> Void) {
        let wasCrowded = queue.isCrowded
        change(&queue)
        if queue.isCrowded, !wasCrowded { reportSoon() }
    }

    /// Reports the dropped events at the end of this loop iteration. Many events may be dropped during the iteration,
    /// and they are reported together.
    private func reportSoon() {
        guard !isReportDue else { return }
        isReportDue = true
        reactor.defer { [weak self] in
            self?.isReportDue = false
            self?.reportDropped()
        }
    }

    /// Once the queue has room again, reports the events that were dropped since the first report.
    private func reportRoom() {
        if !queue.isCrowded, !isReportDue { reportDropped() }
    }

    private func reportDropped() {
        if let count = queue.takeDropped() { onNotice(.dropped(count)) }
    }
}
