// SPDX-License-Identifier: MIT

import Glibc
import RadioCore
import RadioFormats
import Recorder
import Storage
import TestSupport
import TestTools
import Testing

@testable import Engine

/// Real programs that are run for finished files.
struct FileProgramTests {
    @Test("Programs are looked for when the command line is read")
    func parsing() throws {
        let program = try FileProgram(parsing: "sh -c 'exit 0'")
        #expect(program.path.hasSuffix("/sh") && program.arguments == ["-c", "exit 0"])
        #expect(try FileProgram(parsing: "/bin/sh").path == "/bin/sh")
        for text in ["", "no-such-program-here", "/no/such/program", "/dev/null", "/tmp", "'a"] {
            let fault = #expect(throws: SettingFault.self, "\(text)") { try FileProgram(parsing: text) }
            #expect(fault?.field == .exec)
        }
    }

    @Test("Two programs run at a time, each gets its file, and the end waits for all of them")
    func twoAtATime() throws {
        let rig = try ProgramRig(
            """
            mkdir "$here/running.$$"; ls -d "$here"/running.* | wc -l >> "$here/counts"
            cat > "$here/$(basename "$1").json"; while [ -e "$here/hold" ]; do sleep 0.01; done; rmdir "$here/running.$$"
            """)
        try rig.folder.write("hold", "")
        for number in 1...5 { rig.finish("/music/\(number).mp3") }
        #expect(rig.reactor.pump { rig.lines("counts").count == 2 })
        rig.programs.finish(within: nil) { rig.tally = $0 }
        #expect(rig.notices == [.waiting(5, atMost: .seconds(33))] && rig.tally == nil)
        unlink(rig.folder.file("hold"))
        #expect(rig.reactor.pump { rig.tally != nil } && rig.tally?.runs == 5 && rig.tally?.failed == 0)
        #expect(rig.lines("counts").allSatisfy { (1...2).contains(Int($0.trimmed) ?? 0) })
        let input = try JSONValue(parsing: rig.folder.read("4.mp3.json"), limit: 1 << 20)
        #expect(input["file"]?.stringValue == "/music/4.mp3" && input["station"]?.stringValue == "FIP")
        #expect(input["frames"]?.integerValue == 7)
    }

    @Test("A file that has changed after it was finished has no second run") func revised() throws {
        let rig = try ProgramRig("echo \"$1\" >> \"$here/seen\"")
        rig.finish("/music/1.mp3")
        rig.programs.finished(FinishedBundle(path: "/music/1.mp3", sidecar: ProgramRig.sidecar, isRevised: true))
        rig.programs.finish(within: nil) { rig.tally = $0 }
        #expect(rig.reactor.pump { rig.tally != nil } && rig.tally?.runs == 1)
        #expect(rig.lines("seen") == ["/music/1.mp3"])
    }

    @Test("D32: On a disk that only appends, a recording ends well: named, said, and handed to its program")
    func appendOnly() throws {
        let stream = LiveStream(Broadcast([.music(.seconds(60))]), burst: 16_000, fields: ["icy-name": "FIP"])
        let rig = try EngineRig(["fip": LiveScript(.stream(stream))])
        rig.system.setErrors(["pwrite": EPERM, "truncate": EPERM])
        try rig.folder.write("script", "cat > '\(rig.folder.file("seen"))'\n")
        let program = try FileProgram(parsing: "/bin/sh '\(rig.folder.file("script"))'")
        rig.record("file", of: "fip") { spec in
            (spec.settings.isPure, spec.settings.writesSidecars, spec.exec) = (false, true, program)
        }
        rig.run(10)
        rig.end("file")
        rig.run(1)
        #expect(rig.reactor.pump { rig.recording("file") != nil })
        let outcome = try #require(rig.recording("file"))
        let path = rig.folder.file("file/file.mp3")
        #expect(outcome.failure == nil && outcome.report.files == [path] && outcome.report.hasSidecars)
        #expect(outcome.exec?.runs == 1 && outcome.exec?.failed == 0)
        #expect(try JSONValue(parsing: rig.folder.read("seen"), limit: 1 << 20)["file"]?.stringValue == path)
        let flaws = rig.useNotices[UseID("file"), default: []].compactMap { notice -> StorageError? in
            if case .recorder(.flawed(let error)) = notice { error } else { nil }
        }
        #expect(flaws.map(\.path) == [path] && flaws.map(\.code) == [.appendOnly])
    }

    @Test("What fails, or takes too long, is said, and the others run")
    func failures() throws {
        let rig = try ProgramRig(
            """
            case "$1" in *1.mp3) echo oops >&2; exit 3;; *2.mp3) sleep 100 & wait;; esac
            """, deadline: .milliseconds(300))
        for number in 1...3 { rig.finish("/music/\(number).mp3") }
        rig.programs.finish(within: nil) { rig.tally = $0 }
        #expect(rig.reactor.pump { rig.tally != nil })
        let whys = ["it ended with exit status 3", "it took longer than 300ms, and was ended"]
        #expect(rig.tally?.runs == 3 && rig.tally?.failures.map(\.message) == whys)
        #expect(rig.notices.contains(.output(file: "/music/1.mp3", text: "oops")))
        #expect(rig.notices.contains(.failed(file: "/music/2.mp3", why: whys[1])))
    }

    @Test("A hurried end waits no longer than its patience, and begins no program any more", arguments: [true, false])
    func hurry(isKnown: Bool) throws {
        let rig = try ProgramRig(
            """
            sleep 100 & echo $! >> "$here/children"; touch "$here/began.$(basename "$1")"; wait
            """)
        for number in 1...4 { rig.finish("/music/\(number).mp3") }
        let began = { try rig.folder.contents().filter { $0.hasPrefix("began.") } }
        #expect(rig.reactor.pump { (try? began().count) == 2 })
        rig.programs.finish(within: isKnown ? .milliseconds(50) : nil) { rig.tally = $0 }
        if !isKnown { rig.programs.hurry(.milliseconds(50)) }
        rig.reactor.advance(by: .milliseconds(50))
        #expect(rig.reactor.pump { rig.tally != nil } && rig.tally?.runs == 4 && rig.tally?.failed == 4)
        #expect(try began() == ["began.1.mp3", "began.2.mp3"])
        let children = rig.lines("children")
        #expect(children.count == 2)
        // The kernel needs a moment to end a process that was killed.
        #expect(rig.reactor.pump { !children.contains(where: Self.isRunning) }, "\(children)")
    }

    @Test("However many files a crash has left, each gets its program, and a new file comes before them")
    func recovered() throws {
        let rig = try ProgramRig("echo \"$(basename \"$1\")\" >> \"$here/ran\"")
        let left = (0...FileProgramRunner.mostWaiting).map { "left \($0).mp3" }
        for name in left { rig.finish("/music/\(name)", isRecovered: true) }
        rig.finish("/music/new.mp3")
        rig.programs.finish(within: nil) { rig.tally = $0 }
        #expect(rig.reactor.pump { rig.tally != nil })
        #expect(rig.tally?.runs == left.count + 1 && rig.tally?.failed == 0)
        let ran = rig.lines("ran")
        #expect(ran.filter { $0 != "new.mp3" } == left && ran.prefix(2).contains("new.mp3"), "\(ran.prefix(3))")
    }

    /// Whether a process exists and has not ended. An ended process that nobody has reaped is a zombie.
    private static func isRunning(_ id: String) -> Bool {
        guard let bytes = try? bytes(ofFile: "/proc/\(id)/stat") else { return false }
        return !String(decoding: bytes, as: UTF8.self).contains(") Z ")
    }

    @Test("A file is refused while the most files wait, and a cancelled file makes room")
    func mostWaiting() {
        let reactor = PolledReactor()
        let runner = FileProgramRunner(reactor)
        var failures: [String?] = []
        func run() -> Int { runner.run(.none, for: "", input: []) { failures.append($0.failure) } }
        let numbers = (0...FileProgramRunner.mostWaiting).map { _ in run() }
        runner.cancel(numbers[0], why: "gone")
        for number in numbers + [run()] { runner.cancel(number, why: "over") }
        reactor.drain()
        #expect(failures.count == numbers.count + 1 && failures.count { $0 == "over" } == numbers.count - 1)
        #expect(failures.first == "gone" && failures.last??.contains("waiting already") == true)
    }

    @Test("A tally keeps the newest failures, and counts all")
    func tally() {
        var tally = FileProgramTally()
        for number in 1...150 { tally.note(.init(file: "\(number)", message: "no")) }
        #expect(tally.failed == 150 && tally.failures.count == 100 && tally.failures.first?.file == "51")
    }
}

extension FileProgram {
    fileprivate static let none = {
        guard let program = try? FileProgram(parsing: "/bin/sh") else { fatalError("no shell") }
        return program
    }()
}

extension String {
    fileprivate var trimmed: String { filter { !$0.isWhitespace } }
}

/// The programs of a recording, without the recording itself.
private final class ProgramRig {
    let folder: TemporaryFolder
    let reactor = PolledReactor()
    let programs: FilePrograms
    var tally: FileProgramTally?
    private let log = Log()

    private final class Log {
        var notices: [FileProgramNotice] = []
    }

    var notices: [FileProgramNotice] { log.notices }

    static let sidecar: Sidecar = {
        var sidecar = Sidecar(.complete, frames: 7, bytes: 70)
        sidecar.station = "FIP"
        return sidecar
    }()

    /// `script`: a shell script, in which `$here` is the folder.
    init(_ script: String, deadline: Duration = .seconds(30)) throws {
        folder = try TemporaryFolder()
        try folder.write("script", "here='\(folder.path)'\n\(script)\n")
        var program = try FileProgram(parsing: "/bin/sh '\(folder.file("script"))'")
        program.deadline = deadline
        programs = FilePrograms(program, FileProgramRunner(reactor), reactor) { [log] in log.notices.append($0) }
    }

    func finish(_ path: String, isRecovered: Bool = false) {
        programs.finished(FinishedBundle(path: path, sidecar: Self.sidecar, isRecovered: isRecovered))
    }

    func lines(_ name: String) -> [String] {
        let text = (try? folder.read(name)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").map(String.init)
    }
}
