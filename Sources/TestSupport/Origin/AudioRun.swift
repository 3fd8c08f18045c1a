// SPDX-License-Identifier: MIT

/// The progress of one programme on one connection: the next byte to send, and the passage of the programme's time.
///
/// Times are relative to the accept.
struct AudioRun {
    let programme: Broadcast
    /// The next byte to be sent.
    private(set) var position: Int
    /// The time of the programme at which the connection was accepted, and the programme's speed from then on.
    private let base: Duration
    private let speed: (factor: Double, length: Duration?)
    private let block: Int
    /// The number of units that have aired. It only grows, because time never goes back, so no search is needed.
    private var unitsAired = 0

    init(_ programme: Broadcast, base: Duration, speed: (factor: Double, length: Duration?) = (1, nil), block: Int) {
        self.programme = programme
        self.base = base
        self.speed = speed
        self.block = programme.container == .ogg ? 1 : max(1, block)
        position = 0
    }

    var isOver: Bool { position >= programme.bytes.count }

    /// Starts `burst` bytes before the live edge at the accept.
    mutating func join(burst: Int, atFrame: Bool) {
        let begin = max(0, edge(at: .zero) - burst)
        position = atFrame || programme.container == .ogg ? programme.unitStart(atOrAfter: begin) : begin
    }

    /// Starts with the first frame that airs after a time of the programme.
    mutating func join(atTime time: Duration) {
        position = programme.unitStart(atOrAfter: programme.edge(at: time))
    }

    /// Skips the audio that has aired by `time`, up to the start of a unit.
    mutating func skip(to time: Duration) {
        position = max(position, programme.unitStart(atOrAfter: edge(at: time)))
    }

    /// The number of programme bytes that may have been sent by `time`: whole blocks of audio that has aired. `time`
    /// must never be less than in an earlier call.
    mutating func edge(at time: Duration) -> Int {
        let (now, units) = (programmeTime(at: time), programme.units)
        while unitsAired < units.count, units[unitsAired].airs <= now { unitsAired += 1 }
        let aired = unitsAired == 0 ? 0 : units[unitsAired - 1].end
        return aired == programme.bytes.count ? aired : aired / block * block
    }

    /// The time at which the bytes after ``position`` may be sent, possibly in the past; nil at the end.
    func due() -> Duration? {
        let next = min(programme.bytes.count, (position / block + 1) * block)
        var unit = max(0, unitsAired - 1)
        while unit < programme.units.count, programme.units[unit].end < next { unit += 1 }
        return unit < programme.units.count ? listenerTime(programme.units[unit].airs) : nil
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        defer { position += count }
        return programme.bytes[position..<(position + count)]
    }

    private func programmeTime(at time: Duration) -> Duration {
        guard speed.factor != 1 else { return base + time }
        let fast = speed.length.map { min(time, $0) } ?? time
        return base + fast * speed.factor + (time - fast)
    }

    private func listenerTime(_ programmeTime: Duration) -> Duration {
        let passed = programmeTime - base
        guard speed.factor != 1 else { return passed }
        let fast = passed / speed.factor
        guard let length = speed.length, fast > length else {
            // Rounding must not yield a time at which the byte has not aired yet, so a nanosecond is added.
            return fast + .nanoseconds(1)
        }
        return length + (passed - length * speed.factor) + .nanoseconds(1)
    }
}
