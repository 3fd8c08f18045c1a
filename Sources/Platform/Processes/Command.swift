// SPDX-License-Identifier: MIT

/// A program to run, and everything it gets from us: it inherits only what is listed here.
package struct Command: Sendable {
    /// Where a standard stream leads.
    package enum Stream: Hashable, Sendable {
        /// `/dev/null`.
        case nothing
        /// A descriptor that the caller keeps. It must be open until the program has started.
        case descriptor(CInt)
        /// The output is captured, up to this many bytes; the rest is read and dropped.
        case captured(limit: Int)
    }

    /// The resource limits of the program; nil for those of this process.
    package struct Limits: Hashable, Sendable {
        /// Bytes of address space (`RLIMIT_AS`).
        package var memory: Int?
        /// Seconds of processor time (`RLIMIT_CPU`), after which the program gets SIGXCPU or SIGKILL.
        package var processorSeconds: Int?
        /// Open descriptors (`RLIMIT_NOFILE`).
        package var descriptors: Int?

        package init(memory: Int? = nil, processorSeconds: Int? = nil, descriptors: Int? = nil) {
            self.memory = memory
            self.processorSeconds = processorSeconds
            self.descriptors = descriptors
        }
    }

    /// The absolute path of the program; there is no search path.
    package var path: String
    /// Without the program's own name.
    package var arguments: [String]
    /// The complete environment.
    package var environment: [String: String] = [:]
    /// The working folder; nil for that of this process.
    package var folder: String?
    package var input: CInt?
    package var output = Stream.nothing
    package var errors = Stream.nothing
    /// Descriptors that become the program's 3, 4 and so on; at most ``mostDescriptors``.
    package var descriptors: [CInt] = []
    /// Core dumps are disabled in any case.
    package var limits = Limits()
    /// How long the program may run.
    package var deadline: Duration?
    /// The time between the request to end (SIGTERM) and the kill (SIGKILL).
    package var grace: Duration = .seconds(2)

    package init(_ path: String, _ arguments: [String] = []) {
        self.path = path
        self.arguments = arguments
    }

    package static let mostDescriptors = 13
}

/// Why a program could not be started: the step that failed, and its error.
package struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Step: Hashable, Sendable {
        /// A process, thread or descriptor could not be created.
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

    /// The failed action, its object and its cause: "cannot run /usr/bin/mpg123: No such file or directory".
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
