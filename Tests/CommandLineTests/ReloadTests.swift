// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Testing

@testable import Configuration
@testable import aircheck

/// How `aircheck reload` interprets the daemon's answer.
struct ReloadTests {
    @Test("A reload fails only if an address cannot be listened on") func notListening() {
        let failure: JSONValue = ["class": "listening", "message": "cannot listen on x", "remedy": "wait"]
        #expect(
            ReloadCommand.failures(["reloaded": true, "not_listening": [failure]])
                == [Failure(.listening, "cannot listen on x", remedy: "wait")])
        #expect(ReloadCommand.failures(["reloaded": true, "not_listening": []]).isEmpty)
    }

    @Test("Scripts can tell why a daemon refused a request: four reasons, four exit statuses")
    func refusals() {
        let statuses = [Failure.Class.unreachable, .notFound, .forbidden, .serverBusy].map(\.answerStatus)
        #expect(statuses == [.unavailable, .noInput, .noPermission, .tryAgain])
    }

    @Test("The remedy for a missing file depends on whether it is read for the first time or again") func missingFile()
    {
        let missing = ConfigurationError.unreadable(FileFault(path: "/x.toml", reason: .missing))
        let (first, again) = (
            ServeCommand.LoadError.faults(missing).lines(of: "/x.toml"),
            ServeCommand.LoadError.faults(missing).lines(of: "/x.toml", asAgain: true)
        )
        #expect(first.count == 1 && first.first?.contains("--config") == true)
        #expect(again.count == 1 && again.first?.contains("put it back") == true)
        #expect(again.first?.contains("--config") == false)
    }
}
