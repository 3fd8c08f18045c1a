// SPDX-License-Identifier: MIT

import Daemon
import HTTPServer
import Testing

@testable import Control

/// How long the API may take to answer.
struct ControlLimitsTests {
    @Test("A trial of hooks that takes as long as it may is answered") func trial() {
        #expect(ControlService.limits.answer > HookRunner.trialPatience)
    }
}
