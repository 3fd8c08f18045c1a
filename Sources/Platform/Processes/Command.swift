// SPDX-License-Identifier: MIT

/// A program to be run, with all that it gets from us: nothing is inherited but what stands here. A value.
package struct Command: Sendable {
    /// What becomes of a standard stream.
    package enum Stream: Hashable, Sendable {
        /// `/dev/null`.
        case nothing
        /// A descriptor, which stays the caller's, and open until the program has started.
        case descriptor(CInt)
        /// What comes out is kept, up to so many bytes; the rest is read and dropped.
        case captured(limit: Int)
    }

    /// What the program may use; nil is what this process may.
    package struct Limits: Hashable, Sendable {
        /// Bytes of address space (`RLIMIT_AS`).
        package var memory: Int?
        /// Seconds on a processor (`RLIMIT_CPU`), after which it gets SIGXCPU or SIGKILL.
        package var processorSeconds: Int?
        /// Open descriptors (`RLIMIT_NOFILE`).
        package var descriptors: Int?

        package init(memory: Int? = nil, processorSeconds: Int? = nil, descriptors: Int? = nil) {
            self.memory = memory
            self.processorSeconds = processorSeconds
            self.descriptors = descriptors
        }
    }

    /// The absolute path of the program; no folders are searched.
    package var path: String
    /// Without its own name.
    package var arguments: [String]
    /// All of it.
    package var environment: [String: String] = [:]
    /// Where it starts; where this process is, if nil.
    package var folder: String?
    package var input: CInt?
    package var output = Stream.nothing
    package var errors = Stream.nothing
    /// Descriptors that become the program's 3, 4 and so on; no more than ``mostDescriptors``.
    package var descriptors: [CInt] = []
    /// No core is written in any case.
    package var limits = Limits()
    /// After so long it is ended.
    package var deadline: Duration?
    /// Between the request to end (SIGTERM) and the end (SIGKILL).
    package var grace: Duration = .seconds(2)

    package init(_ path: String, _ arguments: [String] = []) {
        self.path = path
        self.arguments = arguments
    }

    package static let mostDescriptors = 13
}

/// Why a program could not be started: what was being done, and the error of that.
package struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Step: Hashable, Sendable {
        /// No process, no thread or no descriptor was to be had.
        case process
        case folder
        case descriptors
        case limits
        case program
    }

    package var step: Step
    package var error: SystemError
    /// The path of the program.
    package var path: String

    /// What failed, on what, and why: "cannot run /usr/bin/mpg123: No such file or directory".
    package var description: String {
        let what =
            switch step {
            case .process, .program: ""
            case .folder: " in its folder"
            case .descriptors: " with its descriptors"
            case .limits: " within its limits"
            }
        return "cannot run \(path)\(what): \(error)"
    }
}
