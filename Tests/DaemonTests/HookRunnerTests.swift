// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Configuration
@testable import Daemon

/// Hooks that send mails through a program in place of `sendmail`, and several hooks together.
struct HookRunnerTests {
    private let rig: HookRig

    init() throws { rig = try HookRig() }

    @Test("A mail is sent through sendmail") func sendmail() throws {
        try rig.script("sendmail", "printf '%s\\n' \"$@\" > $here/arguments; cat > $here/mail")
        rig.add(.mail(to: "me@example.org"))
        let event = rig.event("-f $(reboot)\n.\nBcc: x@example.org")
        rig.runner.hear(event)
        #expect(rig.finish())
        #expect(try rig.text("arguments") == "-i\n--\nme@example.org\n")
        let mail = try #require(HookMail(to: "me@example.org", about: event, HookRig.words(event)))
        #expect(try rig.folder.read("mail") == mail.message)
        #expect(rig.notices.isEmpty)
    }

    @Test("A mail that cannot be sent is reported") func unsentMail() throws {
        for address in ["-f", "a@b\nBcc: c@d", "me@example.org"] { rig.add(.mail(to: address)) }
        rig.runner.hear(rig.event())
        #expect(rig.finish())
        let sendmail = rig.folder.file("sendmail")
        #expect(
            rig.failures == [
                "its address is not a plain mail address", "its address is not a plain mail address",
                "cannot run \(sendmail): No such file or directory",
            ])
        try rig.script("sendmail", "echo no such user; exit 67")
        rig.runner.hear(rig.event())
        #expect(rig.finish() && rig.failures.last == "it ended with exit status 67")
        #expect(rig.outputs == ["no such user"])
    }

    @Test("Each hook receives the events of its settings, and changed settings apply to later events")
    func changedSettings() throws {
        let path = try rig.script("hook", "echo \"$1 $AIRCHECK_EVENT\"")
        for (name, events) in [("a", ["gap", "disk-low"]), ("b", ["station-down"])] as [(String, Set<String>)] {
            rig.runner.settings.append(HookSettings(events: events, action: .command([path, name])))
        }
        for name in EventName.all { rig.runner.hear(rig.event("", name)) }
        rig.runner.settings = [HookSettings(events: ["gap"], action: .command([path, "new"]))]
        rig.runner.hear(rig.event())
        #expect(rig.finish() && Set(rig.outputs) == ["a gap", "a disk-low", "b station-down", "new gap"])
        #expect(rig.notices.count == 4)
        rig.runner.settings = []
        rig.runner.hear(rig.event())
        #expect(rig.runner.isIdle)
    }

    @Test("A hook that hangs delays no other, and each hook receives its events in order") func hangingHook() throws {
        let hanging = try rig.script("hanging", "while [ ! -e $here/go ]; do sleep 0.01; done")
        let quick = try rig.script("quick", "cat | tr -d '\\n' | sed 's/.*\"cause\": \"\\([0-9]*\\)\".*/\\1/'")
        rig.add(.command([hanging]))
        rig.add(.command([quick]))
        for number in 1...20 { rig.runner.hear(rig.event("\(number)")) }
        #expect(rig.run { rig.outputs.count == 20 })
        #expect(rig.outputs == (1...20).map { "\($0)" } && rig.runner.runningCount == 1)
        try rig.folder.write("go", "")
        #expect(rig.finish())
    }

    /// A second flood, while some events of the first one still wait, is reported as well.
    @Test("Each flood of events is reported") func floods() throws {
        let path = try rig.script("hook", "while [ ! -e $here/go ]; do sleep 0.01; done")
        rig.add(.command([path]))
        for _ in 0..<100 { rig.runner.hear(rig.event()) }
        #expect(rig.run { !rig.notices.isEmpty } && rig.notices == [.dropped(35)])
        for _ in 0..<10 { rig.runner.hear(rig.event()) }
        try rig.folder.write("go", "")
        #expect(rig.finish() && rig.notices == [.dropped(35), .dropped(10)])
        for _ in 0..<70 { rig.runner.hear(rig.event()) }
        #expect(rig.finish() && rig.notices == [.dropped(35), .dropped(10), .dropped(5)])
    }

    @Test("A trial runs each hook once with a made-up event, says what fails, and repeats nothing") func trial() throws
    {
        let port = try ClosedPort()
        rig.add(.command([try rig.script("good", "cat > $here/event; echo done")]))
        rig.add(.command([try rig.script("bad", "exit 3")]))
        rig.add(.post(url: "http://127.0.0.1:\(port.number)/secret"))
        rig.add(.mail(to: "me@example.org"))
        let results = Watched<[HookTrial]?>(nil)
        rig.runner.test(in: FixedZone.utc) { trials in results.change { $0 = trials } }
        #expect(rig.run { results.value != nil })
        let trials = try #require(results.value)
        #expect(trials.map(\.hook) == [0, 1, 2, 3])
        #expect(trials[0].failure == nil && trials[0].output == "done")
        #expect(trials[1].failure == "it ended with exit status 3")
        #expect(trials[2].failure == "its server refuses connections" && trials[3].failure != nil)
        let event = try JSONValue(parsing: try rig.folder.read("event"), limit: 10_000)
        #expect(
            event["event"] == "gap" && event["test"] == true && event["cause"]?.stringValue?.contains("test") == true)
        #expect(rig.notices.isEmpty && rig.runner.isIdle && rig.runner.waiting["events"] == [])
        rig.runner.test(only: 1, in: FixedZone.utc) { trials in results.change { $0 = trials } }
        #expect(rig.run { results.value?.map(\.hook) == [1] })
    }

    @Test("One trial runs at a time, and it ends when the runner is closed") func trialsAtOnce() throws {
        rig.add(.command([try rig.script("hook", "while [ ! -e $here/go ]; do sleep 0.01; done")]))
        let results = Watched<[HookTrial]>([])
        func tryHooks() {
            rig.runner.test(in: FixedZone.utc) { trials in results.change { $0 += trials } }
        }
        tryHooks()
        #expect(results.value.isEmpty && rig.runner.runningCount == 1)
        tryHooks()
        #expect(results.value.count == 1 && rig.runner.runningCount == 1)
        #expect(results.value.last?.failure?.contains("already") == true)
        try rig.folder.write("go", "")
        #expect(rig.run { results.value.count == 2 })
        #expect(results.value.last?.failure == nil)
        rig.runner.settings = []
        rig.add(.command([try rig.script("stuck", "while [ ! -e $here/never ]; do sleep 0.01; done")]))
        tryHooks()
        #expect(results.value.count == 2)
        rig.runner.close()
        tryHooks()
        #expect(results.value.suffix(2).map(\.failure) == ["Aircheck is ending", "Aircheck is ending"])
        #expect(results.value.count == 4)
    }

    @Test("A trial under way is not stored, so the next run does not repeat it") func storedTrial() throws {
        let port = try ClosedPort()
        rig.add(.post(url: "http://127.0.0.1:\(port.number)/"))
        let results = Watched<[HookTrial]?>(nil)
        rig.runner.test(in: FixedZone.utc) { trials in results.change { $0 = trials } }
        #expect(rig.runner.runningCount == 1 && rig.runner.waiting["events"] == [])
        #expect(rig.run { results.value != nil })
    }

    @Test("A program that was running when the daemon ended is run again") func interruptedProgram() throws {
        let path = try rig.script("hook", "touch $here/began; while [ ! -e $here/go ]; do sleep 0.01; done; echo went")
        rig.add(.command([path]))
        rig.runner.hear(rig.event())
        #expect(rig.run { (try? rig.folder.read("began")) != nil })
        let waiting = rig.runner.waiting
        rig.runner.close()
        try rig.folder.write("go", "")

        let next = try HookRig()
        next.add(.command([path]))
        next.runner.resume(waiting)
        #expect(next.finish())
        #expect(next.outputs == ["went"] && next.runner.waiting["events"] == [] && rig.notices.isEmpty)
    }

    @Test("Trials that hang delay no event") func hangingTrials() throws {
        let hanging = try rig.script("hanging", "while [ ! -e $here/go ]; do sleep 0.01; done")
        for _ in 0..<HookRunner.mostAtOnce {
            rig.runner.settings.append(HookSettings(events: ["disk-low"], action: .command([hanging])))
        }
        // The trial of this hook hangs, its event does not.
        rig.add(
            .command([try rig.script("hook", "if grep '\"test\": true' >&2; then exec $here/hanging; fi; echo went")]))
        let results = Watched<[HookTrial]>([])
        rig.runner.test(in: FixedZone.utc) { trials in results.change { $0 = trials } }
        #expect(rig.runner.runningCount == HookRunner.mostAtOnce + 1)
        rig.runner.hear(rig.event())
        #expect(rig.run { rig.outputs == ["went"] })
        #expect(results.value.isEmpty)
        try rig.folder.write("go", "")
        #expect(rig.run { results.value.count == HookRunner.mostAtOnce + 1 })
    }

    @Test("A program that ends with exit status 75 is run again later") func tryAgain() throws {
        let path = try rig.script("hook", "[ -e $here/go ] && echo went || exit 75")
        rig.add(.command([path]))
        rig.runner.hear(rig.event())
        #expect(rig.run { rig.runner.isIdle } && rig.outputs.isEmpty && rig.failures.isEmpty)
        try rig.folder.write("go", "")
        rig.reactor.advance(by: .seconds(10))
        #expect(rig.run { rig.outputs == ["went"] })
    }
}
