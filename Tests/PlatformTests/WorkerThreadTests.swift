// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Platform
import TestTools
import Testing

struct WorkerThreadTests {
    @Test("A thread is joined when its work has ended, and not before") func joining() throws {
        let gate = Watched(false)
        let thread = try WorkerThread.start(name: "patient") { _ = gate.wait(within: .seconds(60)) { $0 ? $0 : nil } }
        #expect(!thread.join(until: .read() + .milliseconds(10)))
        gate.change { $0 = true }
        #expect(thread.join(until: .read() + .seconds(60)) && thread.join(until: nil))
    }

    @Test("A thread has its name, cut to the room there is, and blocks all signals") func nameAndSignals() throws {
        let seen = Watched<(name: String, hears: Bool)?>(nil)
        try WorkerThread.start(name: "a name that is too long") {
            let name = String(decoding: (try? bytes(ofFile: "/proc/thread-self/comm")) ?? [], as: UTF8.self)
            var mask = sigset_t()
            pthread_sigmask(SIG_SETMASK, nil, &mask)
            let hears = [SIGTERM, SIGINT, SIGPIPE, SIGXFSZ].contains { sigismember(&mask, $0) == 0 }
            seen.change { $0 = (name, hears) }
        }
        let thread = try #require(seen.wait(within: .seconds(60)) { $0 })
        #expect(thread.name == "a name that is \n" && !thread.hears)
    }

    @Test("A stop flag ends a wait in poll, and stays raised") func stopFlag() throws {
        let flag = try StopFlag()
        var watched = pollfd(fd: flag.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(!flag.isRaised && poll(&watched, 1, 0) == 0)
        flag.raise()
        flag.raise()
        #expect(flag.isRaised && poll(&watched, 1, 0) == 1 && poll(&watched, 1, 0) == 1)
    }

    @Test("A failing system call throws its error number, which has a description") func failingCall() {
        let error = #expect(throws: SystemError.self) { try systemCall { open("/nowhere", O_RDONLY) } }
        #expect(error?.number == ENOENT && error?.description == "No such file or directory")
    }
}
