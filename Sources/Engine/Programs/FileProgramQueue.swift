// SPDX-License-Identifier: MIT

/// The files that wait for their programs, the oldest first.
struct FileProgramQueue {
    private var waiting: [FileProgramJob] = []

    /// The most files that wait.
    static let limit = 100

    /// Adds a file. Returns false if too many wait.
    mutating func add(_ job: FileProgramJob) -> Bool {
        guard waiting.count < Self.limit else { return false }
        waiting.append(job)
        return true
    }

    mutating func next() -> FileProgramJob? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// Removes a file; returns nil if it does not wait.
    mutating func remove(_ number: Int) -> FileProgramJob? {
        waiting.firstIndex { $0.number == number }.map { waiting.remove(at: $0) }
    }
}

/// A program to be run for a file.
struct FileProgramJob {
    var number: Int
    var program: FileProgram
    /// The path of the file.
    var file: String
    /// What the program reads.
    var input: [UInt8]
    var completion: (ProgramOutcome) -> Void
}
