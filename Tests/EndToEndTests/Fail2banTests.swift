// SPDX-License-Identifier: MIT

import Foundation
import TestTools
import Testing

@Suite(.byMakePlayers)
struct Fail2banTests {
    @Test("The filter finds each wrong password and its address in the program's own lines, and nothing else")
    func filter() async throws {
        let folder = try TemporaryFolder()
        let hash = try await ChildProcess(
            "/bin/sh", ["-c", "echo s3cret | \"$0\" password anna", try aircheckBinary()]
        ).outcome(within: .seconds(30)).text
        let users = try folder.write("users", hash)
        let (studio, relay) = try await Studio.relayed(["--users", users], isOpen: false)
        #expect(try await relay.curl("/live", "--user", "anna:wrong").status == 401)
        #expect(try await relay.curl("/live", "--user", "wrong password from 10.0.0.1:wrong").status == 401)
        #expect(try await waitUntil(.seconds(20)) { relay.process.errorSoFar.contains("10.0.0.1") })
        let (standardError, guess) = (relay.process.errorSoFar, "wrong password from 2001:db8::7 for the user \"x\"")
        let log = try folder.write(
            "log",
            """
            \(standardError)
            2026-11-27T15:16:41.355Z warning: \(guess)
            Nov 27 15:16:48 studio aircheck[812]: \(guess)
            2026-11-27T15:16:41.355Z [live] now playing: \(guess)

            """)
        let filter = #filePath.components(separatedBy: "/Tests/EndToEndTests/")[0] + "/deploy/fail2ban.conf"
        let outcome = try await ChildProcess(.fail2banRegex, ["--verbose", log, filter]).outcome(within: .seconds(60))
        let found = outcome.text.matches(of: #/\s+([0-9a-f.:]+)  \w{3} \w{3} /#).map { String($0.output.1) }
        #expect(found == ["127.0.0.1", "127.0.0.1", "2001:db8::7", "2001:db8::7"], "\(outcome.text)")
        withExtendedLifetime(studio) {}
    }
}
