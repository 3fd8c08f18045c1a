// SPDX-License-Identifier: MIT

import Configuration
import Engine
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// Hooks that run real programs.
struct HookProgramTests {
    private let rig: HookRig

    init() throws { rig = try HookRig() }

    @Test("A program gets the event and nothing else") func program() throws {
        let path = try rig.script("hook", "cat > $here/in; /usr/bin/env > $here/env; pwd > $here/folder; echo $# $2")
        rig.add(.command([path, "one", "two words $(reboot)"]))
        let event = rig.event("-f $(reboot) `reboot`\n; reboot & \u{1b}[2J")
        rig.runner.hear(event)
        rig.runner.hear(rig.event("", .diskLow))
        #expect(!rig.runner.isIdle && rig.finish())
        #expect(try JSONValue(parsing: rig.folder.read("in"), limit: 1 << 20) == event.json)
        #expect(try rig.text("folder") == "/\n")
        let own: Set = ["PATH=/usr/bin:/bin", "LANG=C.UTF-8", "AIRCHECK_EVENT=gap"]
        // All other variables must be the shell's own.
        let others = try rig.text("env").split(separator: "\n").map(String.init).filter { !own.contains($0) }
        #expect(others.allSatisfy { $0.hasPrefix("PWD=") || $0.hasPrefix("SHLVL=") || $0.hasPrefix("_=") })
        #expect(rig.notices == [.output(hook: 0, text: "2 two words $(reboot)")])
    }

    /// Programs that fail in several ways, each with the reason that is reported.
    @Test(
        "A program that fails is reported",
        arguments: [
            ("exit 3", 30_000, "it ended with exit status 3"),
            ("echo out; echo err >&2; exit 1", 30_000, "it ended with exit status 1"),
            ("kill -9 $$", 30_000, "it was ended by signal 9"),
            ("sleep 100", 100, "it took longer than 100ms, and was ended"),
            ("exec 0<&- 1>&- 2>&-; sleep 100 & wait", 100, "it took longer than 100ms, and was ended"),
        ])
    func failingProgram(text: String, milliseconds: Int, why: String) throws {
        rig.add(.command([try rig.script("hook", text)]), deadline: .milliseconds(milliseconds))
        rig.runner.hear(rig.event())
        #expect(rig.finish() && rig.notices.first == .failed(hook: 0, .gap, why: why))
        #expect(rig.outputs == (text.contains("err") ? ["out err"] : []))
    }

    @Test("A program that ignores the request to end is killed") func stubbornProgram() throws {
        rig.add(
            .command([try rig.script("hook", "trap '' TERM; while :; do sleep 1; done")]), deadline: .milliseconds(50))
        rig.runner.hear(rig.event())
        #expect(rig.finish() && rig.failures == ["it took longer than 50ms, and was ended"])
    }

    @Test("A program that does not exist is reported") func missingProgram() throws {
        let plain = try rig.folder.write("plain", "no program")
        let paths = [rig.folder.file("none"), plain, "/", "", "none"]
        for path in paths { rig.add(.command(path.isEmpty ? [] : [path])) }
        rig.runner.hear(rig.event())
        #expect(rig.finish() && rig.failures.count == paths.count)
        #expect(rig.failures.allSatisfy { $0.hasPrefix("cannot run ") })
        #expect(rig.failures.contains("cannot run \(paths[0]): No such file or directory"))
    }

    /// The program reads nothing of a large input, and writes a megabyte.
    @Test("A flood of output is cut") func outputFlood() throws {
        rig.add(
            .command([try rig.script("hook", "head -c 1000000 /dev/zero | tr '\\0' 'x'; printf '\\033[2J\\n' >&2")]))
        var event = rig.event()
        event.files = (0..<500).map { "/\($0)" + String(repeating: "p", count: 1000) }
        rig.runner.hear(event)
        #expect(rig.finish())
        #expect(rig.notices == [.output(hook: 0, text: String(repeating: "x", count: ProgramOutcome.mostOutput))])
    }

    @Test("A thousand events run one after the other, and the oldest waiting ones are dropped")
    func thousandEvents() throws {
        rig.add(
            .command([
                try rig.script(
                    "hook",
                    "mkdir $here/a 2>&- || echo second; cat >> $here/all.$$; rmdir $here/a")
            ]))
        for number in 0..<1000 { rig.runner.hear(rig.event("number \(number)")) }
        #expect(rig.finish())
        // One event runs, and 64 wait; the others are dropped.
        #expect(rig.notices == [.dropped(1000 - 65)])
        var causes: Set<String> = []
        for name in try rig.folder.contents() where name.hasPrefix("all.") {
            causes.insert(try JSONValue(parsing: rig.folder.read(name), limit: 1 << 20)["cause"]?.stringValue ?? "")
        }
        #expect(causes == Set(([0] + Array(936..<1000)).map { "number \($0)" }))
    }

    @Test("A running program is killed at the end") func killedAtEnd() throws {
        rig.add(.command([try rig.script("hook", "touch $here/begun; sleep 100")]))
        for _ in 0..<5 { rig.runner.hear(rig.event()) }
        #expect(rig.run { (try? rig.folder.read("begun")) != nil })
        rig.runner.close()
        #expect(rig.runner.isIdle)
        rig.runner.hear(rig.event())
        #expect(rig.runner.isIdle && rig.notices.isEmpty)
    }
}
