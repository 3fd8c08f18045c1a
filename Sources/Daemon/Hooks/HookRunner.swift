// SPDX-License-Identifier: MIT

package import Configuration
package import CurlClient
package import EventLoop
import Instants
import Platform
package import RadioCore
package import RadioFormats

/// Notifies hooks of events: runs programs, sends requests and mails.
///
/// Each hook handles one event at a time, and at most ``mostAtOnce`` hooks handle events at once; trials do not count.
/// At most 64 events wait for each hook; if more arrive, the oldest are dropped. The failure of a hook only causes a
/// notice. An attempt that fails because of the network or a fault of the server, or because a server or a program is
/// busy, is repeated for a day, and later events may overtake it meanwhile. ``waiting`` lets the next run of the daemon
/// continue.
package final class HookRunner {
    private let reactor: any Reactor
    private let client: () -> any HTTPClient
    private let sendmail: String
    private let words: (HookEvent) -> HookMessage
    private let onNotice: (HookNotice) -> Void
    private lazy var bound = reactor.bind(self)
    private lazy var timer = reactor.makeTimer { [weak self] in self?.proceed() }
    private var queue = HookQueue()
    private var running: [Int: RunningJob] = [:]
    private var serial = 0
    private var isClosed = false
    private var isTrying = false

    /// A program or a request that is running for a hook, with its job.
    private struct RunningJob {
        let job: HookJob
        let execution: Execution
        /// Called with the outcome of a trial; nil for events.
        let onTrial: ((HookOutcome) -> Void)?
    }

    private enum Execution {
        case program(Subprocess)
        case post(Fetch)
    }

    package static let mostAtOnce = 4

    /// Called after each change of ``waiting``, at the end of the loop iteration.
    package var onChange: (() -> Void)?
    private var isChangeDue = false

    /// The hooks. A change applies to later events. Waiting and running jobs are not affected.
    package var settings: [HookSettings] = []

    /// `client` is called for each request. `sendmail` is the path of a program that takes mails as Sendmail does.
    /// `words` describes an event for people. `onNotice` is called on the loop's thread, possibly during ``hear(_:)``.
    package init(
        reactor: any Reactor, client: @autoclosure @escaping () -> any HTTPClient,
        sendmail: String = HookSettings.sendmail, words: @escaping (HookEvent) -> HookMessage,
        onNotice: @escaping (HookNotice) -> Void
    ) {
        self.reactor = reactor
        self.client = client
        self.sendmail = sendmail
        self.words = words
        self.onNotice = onNotice
    }

    /// The number of hooks running now.
    var runningCount: Int { running.count }

    /// Whether no job runs or may begin now. Jobs may still wait for their next attempt.
    package var isIdle: Bool { running.isEmpty && !queue.isDue(at: reactor.now) }

    /// The events that were not handled yet, for the next run of the daemon. Those that are being handled are among
    /// them: if the daemon ends now, an event twice is better than none.
    package var waiting: JSONValue { (handling + queue.waiting + gathered().flatMap(jobs)).json }

    /// The jobs that are running, without trials.
    private var handling: [HookJob] { running.values.filter { $0.onTrial == nil }.map(\.job) }

    /// Returns events that are not passed on yet, but are among ``waiting``.
    package var gathered: () -> [HookEvent] = { [] }

    private func jobs(for event: HookEvent) -> [HookJob] {
        let clocks = reactor.readClocks()
        return settings.enumerated().filter { $0.element.events.contains(event.name.rawValue) }.map {
            HookJob(hook: $0.offset, settings: $0.element, event: event, at: clocks)
        }
    }

    /// Continues with the events that an earlier run has left. Call it after setting ``settings``.
    package func resume(_ json: JSONValue) {
        for job in [HookJob](json: json, settings, at: reactor.readClocks()) { queue.add(job) }
        proceed()
    }

    /// Notifies the hooks of an event.
    package func hear(_ event: HookEvent) {
        guard !isClosed else { return }
        for job in jobs(for: event) { queue.add(job) }
        proceed()
    }

    /// Tries hooks with a made-up event each, and calls `onEnd` once with the results, in order. `only`: the number of
    /// the one hook to try, from 0; nil for all. A trial waits for no other job and delays none, takes a minute at
    /// most, and is not repeated. While hooks are tried, and after ``close()``, all trials fail at once.
    package func test(
        only: Int? = nil, in zone: any TimeZoneRules, onEnd: @escaping ([HookTrial]) -> Void
    ) {
        let hooks = settings.enumerated().filter { only == nil || $0.offset == only }
        guard !hooks.isEmpty else { return onEnd([]) }
        guard !isTrying, !isClosed else {
            let why = isClosed ? Self.ending : "hooks are being tried already: try again in a minute"
            return onEnd(hooks.map { HookTrial(hook: $0.offset, settings: $0.element, failure: why, output: "") })
        }
        isTrying = true
        var trials: [HookTrial] = []
        for (hook, settings) in hooks {
            var limited = settings
            limited.deadline = min(settings.deadline, Self.trialPatience)
            let event = HookEvent(trialOf: settings, at: reactor.wallNow, in: zone)
            begin(HookJob(hook: hook, settings: limited, event: event, at: reactor.readClocks())) {
                [weak self] outcome in
                trials.append(
                    HookTrial(hook: hook, settings: settings, failure: outcome.failure, output: outcome.output))
                guard trials.count == hooks.count else { return }
                self?.isTrying = false
                onEnd(trials.sorted { $0.hook < $1.hook })
            }
        }
    }

    /// How long a trial may take. Nothing else takes the API longer to answer.
    package static let trialPatience = Duration.seconds(60)
    private static let ending = "Aircheck is ending"

    /// Kills running programs, cancels running requests, drops waiting jobs, and ends trials. Idempotent.
    package func close() {
        isClosed = true
        queue.removeAll()
        timer.cancel()
        for run in running.values { if case .post(let post) = run.execution { post.cancel() } }
        let trials = running.values.compactMap { $0.onTrial }
        // Releasing the object that runs a program kills the program.
        running = [:]
        for onTrial in trials { onTrial(.failed(Self.ending)) }
    }

    // MARK: Running

    private func proceed() {
        defer { changed() }
        while !isClosed, handling.count < Self.mostAtOnce, let job = queue.next(at: reactor.now, besides: busy) {
            begin(job)
        }
        // The timer is only for repetitions that are not due yet. A job that waits for a busy hook or for a free
        // place is considered again when a run ends.
        guard !isClosed, handling.count < Self.mostAtOnce, let next = queue.nextAttempt(besides: busy) else {
            return timer.cancel()
        }
        timer.arm(at: next)
    }

    private var busy: Set<Int> { Set(handling.map(\.hook)) }

    /// Begins a job. `onTrial` is called with the outcome of a trial; it is nil for events.
    private func begin(_ job: HookJob, onTrial: ((HookOutcome) -> Void)? = nil) {
        serial += 1
        let settings = job.settings
        switch settings.action {
        case .command(let words):
            let program = Command(words.first ?? "", Array(words.dropFirst()), for: job)
            run(program, job.event.json.encoded(.pretty), of: job, onTrial)
        case .mail(let address):
            guard let mail = HookMail(to: address, about: job.event, words(job.event)) else {
                return fail(job, "its address is not a plain mail address", onTrial)
            }
            run(Command(sendmail, ["-i", "--", mail.address], for: job), mail.message, of: job, onTrial)
        case .post(let url): send(.post(job.event, to: url, settings), of: job, onTrial)
        case .ntfy(let url): send(.ntfy(words(job.event), to: url, settings), of: job, onTrial)
        }
    }

    private func run(
        _ program: Command, _ input: [UInt8], of job: HookJob, _ onTrial: ((HookOutcome) -> Void)?
    ) {
        do throws(SystemError) {
            let process = try Subprocess(program, input: input) {
                [bound, serial, deadline = job.settings.deadline] result in
                bound.tell { $0.ended(serial, HookOutcome(result, deadline: deadline)) }
            }
            running[serial] = RunningJob(job: job, execution: .program(process), onTrial: onTrial)
        } catch {
            fail(job, "cannot run \(program.path): \(error)", onTrial)
        }
    }

    private func send(_ request: TransferRequest, of job: HookJob, _ onTrial: ((HookOutcome) -> Void)?) {
        let patience = job.settings.deadline
        // The body of the response is not read.
        let post = Fetch(
            request, limit: 0, deadline: reactor.now + patience, client: client(), reactor: reactor,
            isEnough: { _ in true }, done: { [weak self, serial] in self?.ended(serial, HookOutcome($0, patience)) })
        running[serial] = RunningJob(job: job, execution: .post(post), onTrial: onTrial)
    }

    private func ended(_ number: Int, _ outcome: HookOutcome) {
        guard let run = running.removeValue(forKey: number) else { return }
        if let onTrial = run.onTrial { return onTrial(outcome) }
        if let failure = outcome.failure {
            var job = run.job
            job.failures += 1
            let isTriedAgain = outcome.isWorthRepeating && !job.isStale(at: reactor.now)
            if isTriedAgain { queue.addAgain(job, at: reactor.now + job.pause) }
            // The network may have changed at just that moment.
            if !isTriedAgain || job.failures > 1 { fail(job, failure, nil) }
        } else {
            queue.hurry(run.job.hook)
        }
        if !outcome.output.isEmpty { onNotice(.output(hook: run.job.hook, text: outcome.output)) }
        proceed()
    }

    private func fail(_ job: HookJob, _ why: String, _ onTrial: ((HookOutcome) -> Void)?) {
        if let onTrial { return onTrial(.failed(why)) }
        onNotice(.failed(hook: job.hook, job.event.name, why: why))
    }

    /// Reports what has changed at the end of this loop iteration. Many events may be dropped during the iteration, and
    /// they are reported together.
    private func changed() {
        guard !isChangeDue, !isClosed else { return }
        isChangeDue = true
        reactor.defer { [weak self] in
            guard let self else { return }
            isChangeDue = false
            if let count = queue.takeDropped() { onNotice(.dropped(count)) }
            onChange?()
        }
    }
}
