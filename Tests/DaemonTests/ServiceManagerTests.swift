// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// The protocol of the service manager; the test plays the manager.
struct ServiceManagerTests {
    @Test("The service manager is notified of start, reloads and end, and its watchdog is fed from the loop")
    func notifications() throws {
        let folder = try TemporaryFolder()
        let listener = try NotifySocket(in: folder)
        let reactor = ManualReactor()
        let manager = ServiceManager(
            ["NOTIFY_SOCKET": listener.path, "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], pid: 7, reactor: reactor
        )
        #expect(listener.messages().isEmpty)
        manager.started()
        manager.say("two\nlines")
        #expect(listener.messages() == ["READY=1", "WATCHDOG=1", "STATUS=two lines"])
        reactor.advance(by: .seconds(31))
        #expect(listener.messages() == ["WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"])
        manager.reloading()
        manager.reloaded()
        manager.stopping()
        let messages = listener.messages()
        #expect(messages.count == 3 && messages[0].hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        #expect(messages[1] == "READY=1" && messages[2] == "STOPPING=1")
    }

    @Test("Nothing happens without a service manager, whatever the environment contains") func noManager() {
        let reactor = ManualReactor()
        let environments: [[String: String]] = [
            [:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "relative"], ["NOTIFY_SOCKET": "/nowhere/at/all"],
            ["NOTIFY_SOCKET": "@"], ["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 200)],
        ]
        for environment in environments {
            let manager = ServiceManager(environment, pid: 1, reactor: reactor)
            manager.started()
            manager.stopping()
        }
        #expect(ServiceManager.watchdog(["WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "8"], pid: 7) == nil)
        #expect(ServiceManager.watchdog(["WATCHDOG_USEC": "-1"], pid: 7) == nil)
        #expect(ServiceManager.watchdog(["WATCHDOG_USEC": "1000000"], pid: 7) == .seconds(1))
        #expect(InheritedSockets.take(["LISTEN_PID": "8", "LISTEN_FDS": "1"], pid: 7).isEmpty)
        #expect(InheritedSockets.take(["LISTEN_PID": "7", "LISTEN_FDS": "-1"], pid: 7).isEmpty)
        #expect(InheritedSockets.take(["LISTEN_PID": "7", "LISTEN_FDS": "999999999999"], pid: 7).isEmpty)
    }
}
