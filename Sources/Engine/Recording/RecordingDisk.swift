// SPDX-License-Identifier: MIT

import RadioCore
import Recorder
import Storage

/// What a recording knows of its disk: whether a file could be created there, why the disk takes no data, and how long
/// the recording's end waits for it.
struct RecordingDisk: ~Copyable {
    /// Whether to wait for the disk even before the first file.
    let isEndless: Bool
    private var hasFile = false
    /// Why no data reaches the disk. A disk that hangs may still take all data, so only a refusal counts as a failure.
    private var trouble: (cause: Failure, isRefusal: Bool)?

    /// How long to wait for a hanging disk or a slow reader while somebody waits for the end. A process ends within
    /// eight seconds, on a busy machine as well: the rest is for half a second of grace, the catalog and late timers.
    private static let patience = Duration.seconds(5)
    /// How long to wait, while somebody waits for the end, for a disk that answers but accepts no data: long enough for
    /// another attempt.
    private static let refusedPatience = Duration.seconds(3)
    /// How long to wait for the disk or a slow reader if the recording ended by itself. The result of a show is
    /// due within a minute of its end, and that minute includes the wait for audio that aired before the end, and the
    /// catalog's answer.
    private static let longPatience = Duration.seconds(40)

    init(isEndless: Bool) { self.isEndless = isEndless }

    /// Why the last attempt to write has failed; nil if it has not.
    var failure: Failure? { trouble?.isRefusal == true ? trouble?.cause : nil }

    /// Why no data reaches the disk, if nothing does.
    var shownFailure: Failure? { trouble?.cause }

    /// Whether the recording waits for a disk that fails. Until a file exists, it usually does not.
    var isAwaited: Bool { hasFile || isEndless }

    /// How long the end of the recording waits for the disk. `isHurried`: whether somebody waits for the end.
    func patience(isHurried: Bool) -> Duration {
        guard failure == nil || isAwaited else { return .zero }
        guard isHurried else { return Self.longPatience }
        return failure == nil ? Self.patience : Self.refusedPatience
    }

    mutating func note(_ notice: RecorderNotice) {
        switch notice {
        case .began: hasFile = true
        case .failing(let error) where error.code != .notAnswering: refuse(error.failure)
        case .failing(let error): if failure == nil { trouble = (error.failure, isRefusal: false) }
        case .resumed: trouble = nil
        default: break
        }
    }

    /// Takes note that nothing can be written.
    mutating func refuse(_ cause: Failure) { trouble = (cause, isRefusal: true) }
}
