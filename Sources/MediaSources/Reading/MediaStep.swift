// SPDX-License-Identifier: MIT

package import RadioCore

/// What reading media brings next. A value, because steps cross threads.
package enum MediaStep: Sendable {
    /// A file for the queue is open. Its first step, unless opening fails.
    case opened(ItemOpening)
    /// The next parts of the stream. A title comes right before its first frame.
    case parts(StreamParts)
    /// An item, or the rest of it, is not played, for this reason.
    case skipped(item: String, reason: String)
    /// Attachments of an item, such as a cover, are left out.
    case leftOut(bytes: Int64, of: String)
    /// The last parts follow, but the file may have been cut off: see ``ItemFraming/mayBeIncomplete``.
    case mayBeIncomplete
    /// There is nothing to play now, but perhaps after this time.
    case idle(Duration)
    /// The last step; with a failure if nothing could be played.
    case ended(Failure?)

    /// The approximate size in memory.
    fileprivate var byteCount: Int {
        if case .parts(let parts) = self { parts.size } else { 0 }
    }
}

/// Brings one step after the other. Confined to one thread.
package protocol StepSource: AnyObject {
    /// The next step; nil if there is none yet, or after the last one.
    func next() -> MediaStep?
    /// Ends the steps. Idempotent.
    func close()
}

/// Steps that wait, first in, first out.
struct StepBuffer {
    private var steps: [MediaStep?] = []
    private var taken = 0
    /// The approximate size of the waiting steps in memory.
    private(set) var bytes = 0

    var count: Int { steps.count - taken }

    mutating func append(_ step: MediaStep) {
        steps.append(step)
        bytes += step.byteCount
    }

    mutating func take() -> MediaStep? {
        guard taken < steps.count, let step = steps[taken].take() else { return nil }
        taken += 1
        bytes -= step.byteCount
        if taken == steps.count || taken == Self.mostTaken {
            steps.removeFirst(taken)
            taken = 0
        }
        return step
    }

    private static let mostTaken = 1024
}
