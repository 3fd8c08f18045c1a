// SPDX-License-Identifier: MIT

import Foundation
import Instants
import RadioFormats
import TestSupport
import Testing

/// The daemon under a service manager, played by the test.
struct ServeWatchdogTests {
    private static let programme = Broadcast([.music(.seconds(120))], MPEGShape(128))

    @Test("When it hangs the watchdog is not fed; killed and started again, it completes the file and records on")
    func hangs() async throws {
        let origin = try LiveOrigin(LiveScript(.stream(LiveStream(Self.programme))))
        let serving = try Serving(Serving.station("fip", origin.url("/fip"), "record = \"always\""))
        let socket = try NotifySocket(in: serving.folder)
        let environment = ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "1000000"]
        try await serving.start(environment: environment)
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("recording to") })
        let began = origin.programmeTime()
        #expect(try await waitUntil(.seconds(10)) { origin.programmeTime() - began > .seconds(2) })
        let messages = socket.messages()
        #expect(messages.first == "READY=1" && messages.count { $0 == "WATCHDOG=1" } > 3, "\(messages)")

        serving.process?.signal(SIGSTOP)
        // A feed may be under way.
        let stopped = origin.programmeTime()
        #expect(try await waitUntil(.seconds(10)) { origin.programmeTime() - stopped > .milliseconds(200) })
        _ = socket.messages()
        #expect(try await waitUntil(.seconds(10)) { origin.programmeTime() - stopped > .milliseconds(1_300) })
        #expect(socket.messages().isEmpty)
        try await serving.kill()

        try await serving.start(environment: environment)
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("earlier run had left") })
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("recording to") })
        // The socket holds ten messages only.
        _ = socket.messages()
        #expect(try await serving.stop().ending == .exited(0))
        #expect(socket.messages().last == "STOPPING=1")
        #expect(serving.files.count == 2 && serving.files.allSatisfy { $0.hasSuffix(".mp3") }, "\(serving.files)")
        for file in serving.files {
            #expect(FrameChecker(Self.programme).check([try serving.folder.read(file)]).isExact)
        }
    }
}
