// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import NetworkChanges
import TestTools

/// Checks that changes of networks are reported. Run it in its own network namespace.
enum Changes {
    static func run() throws {
        let loop = try EventLoop(name: "rig")
        try loop.start()
        let told = Watched<[MonotonicInstant]?>(nil)
        loop.post {
            var changes: NetworkChanges?
            changes = NetworkChanges(reactor: loop.reactor) {
                withExtendedLifetime(changes) { told.change { $0?.append(.now) } }
            }
            told.change { $0 = changes == nil ? nil : [] }
        }
        guard told.wait(within: .seconds(5), for: { $0 }) != nil else { throw RigError("the kernel tells nothing") }
        // A change of loopback only, which must not be reported.
        try ip("address", "add", "127.0.0.9/8", "dev", "lo")
        let quiet = told.wait(within: .milliseconds(600)) { $0?.isEmpty == false ? $0 : nil } == nil
        // Blackhole routes, because they need no device, which the kernel might lack.
        let began = MonotonicInstant.now
        for number in 1...20 { try ip("route", "add", "blackhole", "192.0.2.\(number)/32") }
        let first = told.wait(within: .seconds(5)) { $0?.first }.map { ($0 - began) / .seconds(1) } ?? 99
        let all = MonotonicInstant.now - began
        _ = told.wait(within: .milliseconds(600)) { _ in nil as Bool? }
        let count = told.value?.count ?? 0
        NetworkRig.say(
            "{\"quiet\": \(quiet), \"first\": \(first), \"count\": \(count), \"took\": \(all / .seconds(1))}")
        loop.shutdown()
    }

    private static func ip(_ arguments: String...) throws {
        let outcome = try ChildProcess(.ip, arguments).wait(within: .seconds(10))
        guard outcome.succeeded else { throw RigError("ip \(arguments): \(outcome.standardError)") }
    }
}
