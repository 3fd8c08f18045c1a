// SPDX-License-Identifier: MIT

import Instants
import Platform
import Testing

struct StopSignalsTests {
    private func meanings(_ milliseconds: Int...) -> [StopSignals.Meaning] {
        var signals = StopSignals()
        return milliseconds.map { signals.hear(at: MonotonicInstant(nanoseconds: Int64($0) * 1_000_000)) }
    }

    @Test("The first stop signal asks for the end, and a later one exits at once") func laterSignal() {
        #expect(meanings(0, 500) == [.finish, .exitAtOnce])
        #expect(meanings(7_000, 60_000) == [.finish, .exitAtOnce])
    }

    @Test("Stop signals that arrive together count as one") func signalsTogether() {
        #expect(meanings(0, 10, 499, 500) == [.finish, .nothing, .nothing, .exitAtOnce])
    }
}
