// SPDX-License-Identifier: MIT

/// Maps marks in the audio to the titles and item starts that are reported when playback reaches them. Confined to the
/// loop's thread.
final class MarkBook {
    enum Mark {
        case title(String)
        /// The first audible sample of a source, and its place.
        case begin(PlaySource, at: Duration)
    }

    private var marks: [Int64: Mark] = [:]
    private var last: Int64 = 0
    /// Marks that playback reached while marks were held.
    private var reached: [Mark] = []
    private(set) var isHeld = false

    private static let most = 1_024

    /// Adds a mark and returns its number.
    func note(_ mark: Mark) -> Int64 {
        last += 1
        // A mark before frames that decode to nothing is never reached.
        if marks.count >= Self.most, let oldest = marks.keys.min() { marks[oldest] = nil }
        marks[last] = mark
        return last
    }

    /// Returns a mark that playback has reached, or keeps it while marks are held. Forgets it and all marks before it.
    func take(_ number: Int64) -> Mark? {
        defer { marks = marks.filter { $0.key > number } }
        guard isHeld, let mark = marks[number] else { return marks[number] }
        reached.append(mark)
        return nil
    }

    /// Makes ``take(_:)`` keep the marks that playback reaches, until ``release()``.
    func hold() { isHeld = true }

    /// Ends ``hold()``, and returns the marks that playback has reached since.
    func release() -> [Mark] {
        defer { reached = [] }
        isHeld = false
        return reached
    }

    /// Forgets all marks: their audio will not be heard.
    func forgetAll() {
        marks.removeAll()
        reached.removeAll()
    }
}
