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

    @Test("A request for audio for which there is no room is answered with 503") func audio() {
        #expect(ControlService.refusal(RecordedAudio.busy).status == .serviceUnavailable)
    }
}
