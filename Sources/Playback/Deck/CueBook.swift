// SPDX-License-Identifier: MIT

/// Maps cues in the audio to the titles and item starts that are reported when playback reaches them.
final class CueBook {
    enum Cue {
        case title(String)
        /// The first audible sample of a source, and its place.
        case begin(PlaySource, at: Duration)
    }

    private var cues: [Int64: Cue] = [:]
    private var last: Int64 = 0
    /// Cues that playback reached while cues were held.
    private var reached: [Cue] = []
    private(set) var isHeld = false

    private static let most = 1_024

    /// Adds a cue and returns its number.
    func note(_ cue: Cue) -> Int64 {
        last += 1
        // A cue before frames that decode to nothing is never reached.
        if cues.count >= Self.most, let oldest = cues.keys.min() { cues[oldest] = nil }
        cues[last] = cue
        return last
    }

    /// Returns a cue that playback has reached, or keeps it while cues are held. Forgets it and all cues before it.
    func take(_ number: Int64) -> Cue? {
        defer { cues = cues.filter { $0.key > number } }
        guard isHeld, let cue = cues[number] else { return cues[number] }
        reached.append(cue)
        return nil
    }

    /// Makes ``take(_:)`` keep the cues that playback reaches, until ``release()``.
    func hold() { isHeld = true }

    /// Ends ``hold()``, and returns the cues that playback has reached since.
    func release() -> [Cue] {
        defer { reached = [] }
        isHeld = false
        return reached
    }

    /// Forgets all cues: their audio will not be heard.
    func forgetAll() {
        cues.removeAll()
        reached.removeAll()
    }
}
