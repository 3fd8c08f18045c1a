// SPDX-License-Identifier: MIT

/// Maps an output's count of written samples to sample numbers on a tape. The two differ after audio has been written
/// twice.
struct CountMap {
    private var stretches: [(written: Int64, sample: Int64)] = [(0, 0)]

    /// Restarts at count zero, with `sample` as the next sample written.
    mutating func restart(at sample: Int64) { stretches = [(0, sample)] }

    /// Maps counts from `written` on to the samples from `sample` on.
    mutating func go(on written: Int64, with sample: Int64) {
        stretches.removeAll { $0.written >= written }
        stretches.append((written, sample))
        if stretches.count > 16 { stretches.removeFirst() }
    }

    /// The tape sample at an output count.
    func sample(at count: Int64) -> Int64 {
        let stretch = stretches.last { $0.written <= count } ?? stretches.first ?? (0, 0)
        return stretch.sample + max(0, count - stretch.written)
    }
}
