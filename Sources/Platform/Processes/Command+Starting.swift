// SPDX-License-Identifier: MIT

import CLinux
package import Glibc
import RadioFormats

/// A started process, which must be waited for after its end.
package struct StartedProcess: Sendable {
    package let id: pid_t
    /// Readable once the process has ended (`pidfd_open(2)`); nil if the kernel does not support it.
    package let descriptor: Descriptor?
}

extension Command {
    /// Starts the program in its own process group. Blocks until the program runs, and so until the disk has delivered
    /// the program's first page. Does not capture streams: ``Subprocess`` does that.
    ///
    /// With `endsWithThread`, the kernel kills the process when the calling *thread* ends (`PR_SET_PDEATHSIG`), and
    /// therefore when this process ends.
    package func start(endsWithThread: Bool) throws(StartError) -> StartedProcess {
        Self.keepsEndings
        let (arguments, environment) = (CStrings([path] + arguments), CStrings(environment.map { "\($0)=\($1)" }))
        let descriptors = [input ?? -1, output.descriptor, errors.descriptor] + descriptors
        var (id, descriptor, step): (CInt, CInt, CInt) = (0, -1, 0)
        let result = descriptors.withUnsafeBufferPointer { descriptors in
            path.pathBytes.withUnsafeBufferPointer { path in
                withOptional(folder) { folder in
                    var plan = ac_spawn_plan(
                        path: path.baseAddress, arguments: arguments.pointers, environment: environment.pointers,
                        folder: folder,
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

    /// An ignored SIGCHLD, which our parent process may have left behind, would discard the exit statuses of processes.
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
    return text.pathBytes.withUnsafeBufferPointer { body($0.baseAddress) }
}

/// A null-terminated vector of C strings, which lives as long as the object.
private final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
        count = strings.count
        pointers = .allocate(capacity: count + 1)
        for (index, string) in strings.enumerated() { pointers[index] = strdup(string.pathBytes) }
        pointers[count] = nil
    }

    deinit {
        for index in 0..<count { free(pointers[index]) }
        pointers.deallocate()
    }
}
