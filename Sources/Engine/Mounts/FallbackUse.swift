// SPDX-License-Identifier: MIT

import RadioCore
import Relay
import Stations

/// Uses a programme as a mount's fallback. Claims the programme while listeners need it.
final class FallbackUse {
    let fallback: Fallback
    private let host: ProgrammeHost

    init(_ fallback: Fallback, of host: ProgrammeHost) {
        self.fallback = fallback
        self.host = host
    }

    func begin() {
        fallback.onWanted = { [unowned self] isWanted in
            guard isWanted else { return host.release(self) }
            if !host.isStopping, let programme = host.programme { fallback.tune(to: programme.hub) }
            host.claim(self)
        }
        host.join(self)
    }

    func end() {
        fallback.onWanted = nil
        host.leave(self)
    }
}

extension FallbackUse: ProgrammeUser {
    func programmeBegan(_ programme: Programme) { fallback.tune(to: programme.hub) }
    /// Does nothing: the fallback receives the end from the hub.
    func programmeEnded(_ failure: Failure?) {}
}
