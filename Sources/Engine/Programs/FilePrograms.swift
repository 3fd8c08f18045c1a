// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats
import Storage

/// The programs that are run for the files of one recording.
final class FilePrograms {
    private let program: FileProgram
    private let runner: FileProgramRunner
    private let reactor: any Reactor
    private let tell: (FileProgramNotice) -> Void
    private var tally = FileProgramTally()
    /// The files whose programs wait or run, by the numbers of the runs.
    private var pending: [Int: String] = [:]
    /// The files of earlier runs that wait until no other file does.
    private var recovered: [FinishedBundle] = []
    private var completion: ((FileProgramTally) -> Void)?
    private lazy var timer = reactor.makeTimer { [weak self] in self?.timeIsOver() }
    /// When the wait of ``finish(within:_:)`` ends; nil before and after it.
    private var end: MonotonicInstant?

    private static let tooLate = "it had not ended in time"

    init(
        _ program: FileProgram, _ runner: FileProgramRunner, _ reactor: any Reactor,
        tell: @escaping (FileProgramNotice) -> Void
    ) {
        self.program = program
        self.runner = runner
        self.reactor = reactor
        self.tell = tell
    }

    /// Runs the program for a finished file, soon. Those that a crash had left unfinished may be many, so they come one
    /// by one, and after those of this recording. A file that has changed later has had its run.
    func finished(_ bundle: FinishedBundle) {
        guard !bundle.isRevised else { return }
        guard bundle.isRecovered else { return run(bundle) }
        recovered.append(bundle)
        runRecovered()
    }

    private func runRecovered() {
        if pending.isEmpty, !recovered.isEmpty { run(recovered.removeFirst()) }
    }

    private func run(_ bundle: FinishedBundle) {
        let file = bundle.path
        var number = 0
        number = runner.run(program, for: file, input: Self.input(bundle)) { [weak self] outcome in
            self?.ended(number, file, outcome)
        }
        pending[number] = file
    }

    /// Calls `completion` once all programs have ended. Waits for them for `patience` at most, and never for longer
    /// than the deadline of a single program, even if several programs are pending.
    func finish(within patience: Duration?, _ completion: @escaping (FileProgramTally) -> Void) {
        guard !pending.isEmpty else { return completion(tally) }
        self.completion = completion
        let longest = program.deadline + Self.grace
        let limit = min(patience ?? longest, longest)
        tell(.waiting(pending.count + recovered.count, atMost: limit))
        arm(at: reactor.now + limit)
    }

    /// Shortens the wait of ``finish(within:_:)``.
    func hurry(_ patience: Duration) {
        guard let end, reactor.now + patience < end else { return }
        arm(at: reactor.now + patience)
    }

    private func arm(at end: MonotonicInstant) {
        self.end = end
        timer.arm(at: end)
    }

    private func ended(_ number: Int, _ file: String, _ outcome: ProgramOutcome) {
        guard pending.removeValue(forKey: number) != nil else { return }
        note(file, outcome)
        runRecovered()
        guard pending.isEmpty, let completion else { return }
        timer.cancel()
        (self.completion, end) = (nil, nil)
        completion(tally)
    }

    private func note(_ file: String, _ outcome: ProgramOutcome) {
        tally.runs += 1
        if !outcome.output.isEmpty { tell(.output(file: file, text: outcome.output)) }
        if let why = outcome.failure {
            tally.note(.init(file: file, message: why))
            tell(.failed(file: file, why: why))
        }
    }

    /// Cancels the programs. Does not wait for those that even the kernel cannot end, because a disk hangs.
    private func timeIsOver() {
        guard end.take() != nil else {
            for (number, file) in pending { ended(number, file, ProgramOutcome(failure: Self.tooLate)) }
            return
        }
        for bundle in recovered { note(bundle.path, ProgramOutcome(failure: Self.tooLate)) }
        recovered = []
        timer.arm(at: reactor.now + Self.grace)
        // The newest programs are cancelled first, because the place of a killed program is given to the next waiting
        // program.
        for number in pending.keys.sorted(by: >) { runner.cancel(number, why: Self.tooLate) }
    }

    private static func input(_ bundle: FinishedBundle) -> [UInt8] {
        let file = FileProgram.absolute(bundle.path)
        var object: JSONObject = ["file": file]
        if bundle.isRecovered { object["recovered"] = true }
        if case .object(let members) = bundle.sidecar.json { object.append(members) }
        if object["raw_bytes"] == nil { object.noteRawBytes(of: [file]) }
        return JSONValue.object(object).encoded(.pretty)
    }

    /// How much longer a program may take to end after it has been killed at its deadline.
    private static let grace = Duration.seconds(3)
}
