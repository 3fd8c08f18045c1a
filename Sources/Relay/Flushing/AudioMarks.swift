// SPDX-License-Identifier: MIT

/// How far the audio had come when rounds of the wheel began, and so what everybody has been sent who is not slow. A
/// value without I/O.
struct AudioMarks {
    /// The audio that had come when the last round but one began: everybody has had a turn since.
    private(set) var seenByAll: Duration
    private var atLastRound: Duration
    private var tick: Int64

    /// Everybody has been sent all up to `mediaTime`.
    init(at tick: Int64 = 0, _ mediaTime: Duration = .zero) {
        self.tick = tick
        seenByAll = mediaTime
        atLastRound = mediaTime
    }

    /// All have had their turns up to a tick.
    mutating func turned(to tick: Int64, _ mediaTime: Duration) {
        guard tick - self.tick >= FlushTicks.longest else { return }
        self.tick = tick
        seenByAll = atLastRound
        atLastRound = mediaTime
    }
}
