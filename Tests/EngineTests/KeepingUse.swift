// SPDX-License-Identifier: MIT

import RadioCore
import Stations
import TestSupport

@testable import Engine

/// A use that claims ring depth for as long as it lasts, as if for listening later, and also receives all audio itself.
struct KeepingSpec: UseSpec {
    let depth: Duration
    let heard: HeardFrames

    func makeUse(_ context: UseContext) -> any Use { KeepingUse(self, context) }
    func outcome(_ failure: Failure) -> any UseOutcome { KeepingOutcome(heard: heard, failure: failure) }
}

struct KeepingOutcome: UseOutcome {
    var heard: HeardFrames
    var failure: Failure?
}

private final class KeepingUse: Use, ProgrammeUser, StreamSink {
    private let context: UseContext
    private let depth: Duration
    private var outcome: KeepingOutcome
    private var claim: RingClaim?

    init(_ spec: KeepingSpec, _ context: UseContext) {
        self.context = context
        depth = spec.depth
        outcome = KeepingOutcome(heard: spec.heard)
    }

    var snapshot: (any UseSnapshot)? { nil }

    func begin() {
        context.host.join(self)
        context.host.claim(self)
    }

    func end() {
        claim = nil
        context.host.programme?.hub.detach(self)
        context.host.leave(self)
        context.onEnd(outcome)
    }

    func programmeBegan(_ programme: Programme) {
        claim = programme.hub.claim(depth)
        programme.hub.attach(self)
    }

    func programmeEnded(_ failure: Failure?) { outcome.failure = failure }

    func receive(_ event: StreamEvent) {
        if case .chunk(let chunk) = event { outcome.heard.add(chunk) }
    }
}
