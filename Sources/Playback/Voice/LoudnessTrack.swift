// SPDX-License-Identifier: MIT

import RadioCore

/// How loud decoded audio is, a tenth of a second at a time, to be asked for once it is heard. Confined to the sound
/// thread.
struct LoudnessTrack {
    private var meter: LoudnessMeter
    private let window: Int
    private var windows: [(end: Int64, loudness: Loudness)] = []

    /// As much as the history holds.
    private static let most = 40

    init(_ format: PCMFormat) {
        meter = LoudnessMeter(channels: format.channels)
        window = max(1, format.sampleRate / 10)
    }

    /// `end` is the number of the sample behind the last of these.
    mutating func add(_ values: UnsafeBufferPointer<Float>, upTo end: Int64) {
        meter.add(values)
        guard meter.samples >= window, let loudness = meter.take() else { return }
        if windows.count == Self.most { windows.removeFirst() }
        windows.append((end, loudness))
    }

    /// That of the stretch around a sample.
    func at(_ sample: Int64) -> Loudness? {
        windows.first { $0.end > sample }?.loudness ?? windows.last?.loudness
    }
}
