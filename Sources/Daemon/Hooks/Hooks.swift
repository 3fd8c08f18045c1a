// SPDX-License-Identifier: MIT

import Configuration
import RadioFormats

/// The hooks of the configuration: notified of events, of gaps at a limited rate. What waits for them is kept for the
/// next run.
final class Hooks: DaemonPart {
    private let context: DaemonContext
    let runner: HookRunner
    private let gaps: GapTeller
    /// What an earlier run has left; nil as soon as there are hooks, which go on from it.
    private var earlier: JSONValue? = .null
    /// The events as they were stored last.
    private var stored = JSONValue.null

    init(_ context: DaemonContext, words: @escaping (HookEvent) -> HookMessage) {
        self.context = context
        runner = HookRunner(reactor: context.reactor, client: context.client, words: words) {
            context.tell(.other($0))
        }
        gaps = GapTeller(reactor: context.reactor, tell: runner.hear)
        runner.onChange = { [weak self] in self?.store() }
        runner.gathered = { [unowned gaps] in gaps.waiting }
        gaps.onChange = runner.onChange
    }

    func resume(_ earlier: inout EarlierRun) {
        self.earlier = earlier.read([HookJob].fileName)
    }

    func use(_ configuration: Configuration) {
        runner.settings = configuration.hooks
        if !configuration.hooks.isEmpty, let earlier = earlier.take() { runner.resume(earlier) }
    }

    func hear(_ event: HookEvent) {
        if earlier == nil { gaps.hear(event) }
    }

    func finish() { gaps.finish() }

    var isIdle: Bool { runner.isIdle }

    func close() {
        store()
        runner.close()
    }

    /// Stores the events that wait. If the write fails, they are lost only if the process ends before the next change.
    private func store() {
        let waiting = runner.waiting
        guard earlier == nil, waiting != stored else { return }
        stored = waiting
        context.store(waiting, in: [HookJob].fileName)
    }
}
