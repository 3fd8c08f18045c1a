// SPDX-License-Identifier: MIT

import CLinux
package import Glibc

/// A process that has been started, and must be waited for once it has ended.
package struct StartedProcess: Sendable {
    package let id: pid_t
    /// Readable once the process has ended (`pidfd_open(2)`); nil where the kernel has none.
    package let descriptor: Descriptor?
}

extension Command {
    /// Starts the program, in a process group of its own, and returns once it runs: by then the disk has delivered its
    /// first page. Streams that are to be captured are not: those are ``Subprocess``'s affair.
    ///
    /// Where `endsWithThread` is set the kernel kills the process when the calling *thread* ends (`PR_SET_PDEATHSIG`),
    /// and with it when this process does.
    package func start(endsWithThread: Bool) throws(StartError) -> StartedProcess {
        Self.keepsEndings
        let (arguments, environment) = (CStrings([path] + arguments), CStrings(environment.map { "\($0)=\($1)" }))
        let descriptors = [input ?? -1, output.descriptor, errors.descriptor] + descriptors
        var (id, descriptor, step): (CInt, CInt, CInt) = (0, -1, 0)
        let result = descriptors.withUnsafeBufferPointer { descriptors in
            path.withCString { path in
                withOptional(folder) { folder in
                    var plan = ac_spawn_plan(
                        path: path, arguments: arguments.pointers, environment: environment.pointers, folder: folder,
                        descriptors: descriptors.baseAddress, descriptor_count: CInt(descriptors.count),
                        ends_with_thread: endsWithThread ? 1 : 0, memory: Int64(limits.memory ?? -1),
                        processor_seconds: Int64(limits.processorSeconds ?? -1),
                        open_files: Int64(limits.descriptors ?? -1))
                    return ac_spawn(&plan, &id, &descriptor, &step)
                }
            }
        }
        guard result == 0 else {
            throw StartError(step: StartError.Step(step), error: SystemError(number: result), path: path)
        }
        return StartedProcess(id: id, descriptor: descriptor < 0 ? nil : Descriptor(owning: descriptor))
    }

    /// An ignored SIGCHLD, which whoever started us may have left behind, takes the endings of processes away.
    private static let keepsEndings: Void = {
        signal(SIGCHLD, SIG_DFL)
    }()
}

extension Command.Stream {
    fileprivate var descriptor: CInt {
        if case .descriptor(let number) = self { number } else { -1 }
    }
}

extension StartError.Step {
    fileprivate init(_ number: CInt) {
        self =
            switch Int(number) {
            case AC_SPAWN_FOLDER: .folder
            case AC_SPAWN_DESCRIPTORS: .descriptors
            case AC_SPAWN_LIMITS: .limits
            case AC_SPAWN_PROGRAM: .program
            default: .process
            }
    }
}

private func withOptional<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let text else { return body(nil) }
    return text.withCString(body)
}

/// A vector of C strings that ends with a null, and lives as long as the object.
private final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
        count = strings.count
        pointers = .allocate(capacity: count + 1)
        for (index, string) in strings.enumerated() { pointers[index] = strdup(string) }
        pointers[count] = nil
    }

    deinit {
        for index in 0..<count { free(pointers[index]) }
        pointers.deallocate()
    }
}
