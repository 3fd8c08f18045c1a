// SPDX-License-Identifier: MIT

package import Platform
import RadioCore
import RadioFormats

/// The result of a program that was run for somebody, for people to read.
package struct ProgramOutcome: Hashable, Sendable {
    /// Why the program failed; nil if it succeeded.
    package var failure: String?
    /// The program's output, as one line that is fit for display.
    package var output = ""

    /// The maximum number of bytes that are kept of a program's output.
    package static let mostOutput = 4096

    package init(failure: String) {
        self.failure = failure
    }

    /// The result of a program whose streams were captured. `deadline`: how long it was allowed to run.
    package init(_ result: Result<SubprocessEnd, StartError>, deadline: Duration) {
        switch result {
        case .failure(let error): failure = "\(error)"
        case .success(let end):
            failure = Self.failure(end, deadline: deadline)
            let bytes = end.output.bytes + (end.output.bytes.isEmpty ? [] : [0x0A]) + end.errors.bytes
            output = TitleText.cleaned(String(decoding: bytes, as: UTF8.self), toBytes: Self.mostOutput)
        }
    }

    private static func failure(_ end: SubprocessEnd, deadline: Duration) -> String? {
        if end.wasTooSlow { return "it took longer than \(HumanDuration.print(deadline)), and was ended" }
        return switch end.ending {
        case .exited(0): nil
        case .exited(let status): "it ended with exit status \(status)"
        case .signalled(let number): "it was ended by signal \(number)"
        }
    }
}
