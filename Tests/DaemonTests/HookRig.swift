// SPDX-License-Identifier: MIT

import CurlClient
import Glibc
import Instants
import Platform
import RadioCore
import TestSupport
import TestTools

@testable import Configuration
@testable import Daemon

/// A hook runner in virtual time, with real programs and a real HTTP client.
final class HookRig {
    let folder: TemporaryFolder
    let reactor = PolledReactor()
    private let client: CurlClient
    let runner: HookRunner
    private let log = Log()

    private final class Log {
        var notices: [HookNotice] = []
    }

    var notices: [HookNotice] { log.notices }

    /// Creates a folder for programs. The program `sendmail` in it sends the mails.
    init() throws {
        folder = try TemporaryFolder()
        let client = CurlClient(reactor: reactor)
        self.client = client
        runner = HookRunner(reactor: reactor, client: client, sendmail: folder.file("sendmail"), words: Self.words) {
            [log] in log.notices.append($0)
        }
    }

    /// The message for people. It contains text from outside unchanged.
    static func words(_ event: HookEvent) -> HookMessage {
        HookMessage(
            title: "\(event.name.rawValue) of \(event.stationName ?? "")", body: "Why:\n\(event.cause ?? "")",
            tag: "warning")
    }

    deinit {
        runner.close()
        client.close()
    }

    /// Writes a shell script into the folder. In the script, `$here` is the folder.
    @discardableResult
    func script(_ name: String, _ text: String) throws -> String {
        let draft = try folder.write("\(name).draft", "#!/bin/sh\nhere='\(folder.path)'\n\(text)\n")
        chmod(draft, 0o755)
        // Another process writes the script. If this process wrote it, a program that another test starts at the same
        // moment would briefly hold the descriptor, and a file that is open for writing cannot be run.
        let copying = try Command("/bin/cp", [draft, folder.file(name)]).start(endsWithThread: false)
        waitpid(copying.id, nil, 0)
        return folder.file(name)
    }

    func add(_ action: HookSettings.Action, token: String? = nil, deadline: Duration = .seconds(30)) {
        var hook = HookSettings(events: ["gap"], action: action)
        hook.token = token
        hook.deadline = deadline
        runner.settings.append(hook)
    }

    /// An event with this cause.
    func event(_ cause: String = "why", _ name: EventName = .gap) -> HookEvent {
        var event = HookEvent(name, at: reactor.wallNow, in: FixedZone.utc)
        event.station = "x"
        event.stationName = "Radio Güt"
        event.cause = cause
        return event
    }

    /// Runs until the condition holds; false after 10 s. A millisecond of virtual time passes for each millisecond of
    /// real time.
    func run(until condition: () -> Bool) -> Bool {
        reactor.pump {
            reactor.advance(by: .milliseconds(1))
            return condition()
        }
    }

    /// Runs until all hooks are done; false after 10 s.
    func finish() -> Bool { run { runner.isIdle } }

    func text(_ name: String) throws -> String { String(decoding: try folder.read(name), as: UTF8.self) }

    /// Why hooks have failed, in order.
    var failures: [String] {
        notices.compactMap { if case .failed(_, _, let why) = $0 { why } else { nil } }
    }

    /// What programs wrote, in order.
    var outputs: [String] {
        notices.compactMap { if case .output(_, let text) = $0 { text } else { nil } }
    }
}
