// SPDX-License-Identifier: MIT

import Foundation
import Instants
import RadioFormats
import TestSupport
import TestTools
import Testing

/// The daemon under a service manager, played by the test.
struct ServeWatchdogTests {
    private static let programme = Broadcast([.music(.seconds(120))], MPEGShape(128))

    /// Only the loop's thread is stopped: a process that is stopped as a whole never feeds the watchdog.
    @Test("H5: A hanging loop does not feed the watchdog, and the restarted daemon completes the file")
    func hangs() async throws {
        let origin = try ScriptedOrigin(LiveScript(.stream(LiveStream(Self.programme))))
        let serving = try Serving(Serving.station("fip", origin.url("/fip"), "record = \"always\""))
        let socket = try NotifySocket(in: serving.folder)
        let environment = ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "1000000"]
        try await serving.start(environment: environment)
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("recording to") })
        let began = origin.programmeTime()
        #expect(try await waitUntil(.seconds(10)) { origin.programmeTime() - began > .seconds(2) })
        let messages = socket.messages()
        #expect(messages.first == "READY=1" && messages.count { $0 == "WATCHDOG=1" } > 3, "\(messages)")

        let process = try #require(serving.process?.pid)
        let loop = try await HeldThread("loop", of: process)
        // Discards the messages that were sent before.
        _ = socket.messages()
        let stopped = origin.programmeTime()
        #expect(try await waitUntil(.seconds(10)) { origin.programmeTime() - stopped > .milliseconds(2_100) })
        #expect(socket.messages().isEmpty)
        let threads = try HeldThread.threads(of: process)
        #expect(threads.filter { $0.state == "t" }.map(\.name) == ["loop"] && threads.count > 3, "\(threads)")
        try await serving.kill()
        withExtendedLifetime(loop) {}

        try await serving.start(environment: environment)
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("earlier run had left") })
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("recording to") })
        // The socket holds only ten messages, so make room for those to come.
        _ = socket.messages()
        #expect(try await serving.stop().ending == .exited(0))
        #expect(socket.messages().contains("STOPPING=1"))
        #expect(serving.files.count == 2 && serving.files.allSatisfy { $0.hasSuffix(".mp3") }, "\(serving.files)")
        let checker = FrameChecker(Self.programme)
        for file in serving.files {
            #expect(checker.check([try serving.folder.read(file)]).isExact)
        }
        let states = try serving.sidecars().map { $0["state"]?.stringValue }
        #expect(states == ["interrupted", "complete"], "\(states)")
        let kept = checker.check([try serving.folder.read(serving.files[0])])
        let end = Double((kept.last ?? 0) + 1) * 1152 / 44_100
        #expect(stopped.inSeconds - end < 1.2, "it ends at \(end) of \(stopped)")
    }
}
