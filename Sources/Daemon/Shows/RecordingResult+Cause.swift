// SPDX-License-Identifier: MIT

import Instants

extension RecordingResult {
    /// Why the audio of a span is missing.
    struct Cause: Hashable, Sendable {
        var span: Range<WallInstant>
        var text: String
    }
}

extension Range<WallInstant> {
    /// Divides a span of missing audio by causes, in order. `others` divides what no known cause explains. A part that
    /// is shorter than `least` has the cause beside it. Neighbours with one text are one cause.
    func divided(
        by known: [RecordingResult.Cause], least: Duration = .zero,
        else others: (Range<WallInstant>) -> [RecordingResult.Cause]
    ) -> [RecordingResult.Cause] {
        var (found, end) = ([RecordingResult.Cause](), lowerBound)
        func add(_ cause: RecordingResult.Cause) {
            guard let last = found.last, last.text == cause.text else { return found.append(cause) }
            found[found.count - 1].span = last.span.lowerBound..<cause.span.upperBound
        }
        func pass(to start: WallInstant) {
            guard start > end, start - end >= least else { return }
            others(end..<start).forEach(add)
            end = start
        }
        for cause in known.sorted(by: { $0.span.lowerBound < $1.span.lowerBound }) where cause.span.overlaps(self) {
            let span = cause.span.clamped(to: self)
            guard span.upperBound > end else { continue }
            pass(to: span.lowerBound)
            add(.init(span: end..<span.upperBound, text: cause.text))
            end = span.upperBound
        }
        pass(to: upperBound)
        if end < upperBound, let last = found.last { add(.init(span: end..<upperBound, text: last.text)) }
        return found
    }
}
