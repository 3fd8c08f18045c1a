// SPDX-License-Identifier: MIT

import EventLoop
import Platform

/// Runs programs for finished files, for all recordings of a process: at most ``mostAtOnce`` programs at a time, while
/// the others wait.
final class FileProgramRunner {
    private let reactor: any Reactor
    private lazy var bound = reactor.bind(self)
    /// The files that wait for their programs, the oldest first.
    private var waiting: [Job] = []
    private var running: [Int: Run] = [:]
    private var lastNumber = 0

    /// A program to be run for a file.
    private struct Job {
        let number: Int
        let program: FileProgram
        /// The path of the file.
        let file: String
        /// What the program reads.
        let input: [UInt8]
        let completion: (ProgramOutcome) -> Void
    }

    private struct Run {
        let job: Job
        let process: Subprocess
        /// Why the program was killed; nil if it was not.
        var why: String?
    }

    static let mostAtOnce = 2
    /// The most files that wait.
    static let mostWaiting = 100

    init(_ reactor: any Reactor) {
        self.reactor = reactor
    }

    /// Runs a program soon. `completion` is called once, never during this call. Returns a number for
    /// ``cancel(_:why:)``.
    func run(
        _ program: FileProgram, for file: String, input: [UInt8], completion: @escaping (ProgramOutcome) -> Void
    ) -> Int {
        lastNumber += 1
        if waiting.count < Self.mostWaiting {
            waiting.append(
                Job(number: lastNumber, program: program, file: file, input: input, completion: completion))
            reactor.defer { [weak self] in self?.proceed() }
        } else {
            let why = "it was not run, because \(Self.mostWaiting) finished files were waiting already"
            reactor.defer { completion(ProgramOutcome(failure: why)) }
        }
        return lastNumber
    }

    /// Kills a running program, with the processes that it has started, or removes a waiting program. The completion
    /// gets the reason; for a running program, it is called once the program has ended.
    func cancel(_ number: Int, why: String) {
        if let index = waiting.firstIndex(where: { $0.number == number }) {
            return waiting.remove(at: index).completion(ProgramOutcome(failure: why))
        }
        running[number]?.why = why
        running[number]?.process.kill()
    }

    private func proceed() {
        while running.count < Self.mostAtOnce, !waiting.isEmpty { begin(waiting.removeFirst()) }
    }

    private func begin(_ job: Job) {
        let (number, deadline) = (job.number, job.program.deadline)
        do throws(SystemError) {
            let process = try Subprocess(job.program.command(for: job.file), input: job.input) { [bound] result in
                bound.tell { $0.ended(number, ProgramOutcome(result, deadline: deadline)) }
            }
            running[number] = Run(job: job, process: process)
        } catch {
            job.completion(ProgramOutcome(failure: "cannot run \(job.program.path): \(error)"))
        }
    }

    private func ended(_ number: Int, _ outcome: ProgramOutcome) {
        if let run = running.removeValue(forKey: number) {
            run.job.completion(run.why.map { ProgramOutcome(failure: $0) } ?? outcome)
        }
        proceed()
    }
}
