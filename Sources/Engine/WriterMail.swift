// SPDX-License-Identifier: MIT

import EventLoop
import Recorder
import Storage

/// What the writing threads report, on its way to whom it concerns. Confined to the loop's thread.
///
/// A report comes through the loop's inbox and carries a number; one whose addressee is gone is ignored.
final class WriterMail {
    enum Letter: Sendable {
        case segments(WriterReport)
        case output(DescriptorWriter.Report)
    }

    private enum Addressee {
        case recorder(Recorder)
        case output(FrameOutput)
    }

    private var addressees: [Int: Addressee] = [:]
    private var count = 0

    /// Makes something that hears reports under a number of its own.
    func address(_ make: (Int) -> Recorder) -> Recorder {
        count += 1
        let recorder = make(count)
        addressees[count] = .recorder(recorder)
        return recorder
    }

    func address(_ make: (Int) throws(StorageError) -> FrameOutput) throws(StorageError) -> FrameOutput {
        count += 1
        let output = try make(count)
        addressees[count] = .output(output)
        return output
    }

    func hear(_ number: Int, _ letter: Letter) {
        switch (addressees[number], letter) {
        case (.recorder(let recorder), .segments(let report)):
            recorder.hear(report)
            if case .detached = report { addressees[number] = nil }
        case (.output(let output), .output(let report)):
            output.hear(report)
        default: break
        }
    }
}
