// SPDX-License-Identifier: MIT

/// What is to be told when the audio behind a mark begins to be heard. Confined to the loop's thread.
final class MarkBook {
    enum Mark {
        case title(String)
        /// The first audio of a source.
        case begin(PlaySource)
    }

    private var marks: [Int64: Mark] = [:]
    private var last: Int64 = 0

    private static let most = 1_024

    /// Returns the number of a new mark.
    func note(_ mark: Mark) -> Int64 {
        last += 1
        // Frames that decode to nothing are never heard, and neither is what stands before them.
        if marks.count >= Self.most, let oldest = marks.keys.min() { marks[oldest] = nil }
        marks[last] = mark
        return last
    }

    /// Hands a mark out, and forgets all before it.
    func take(_ number: Int64) -> Mark? {
        defer { marks = marks.filter { $0.key > number } }
        return marks[number]
    }

    /// Nothing that was noted so far will be heard.
    func forgetAll() { marks.removeAll() }
}
