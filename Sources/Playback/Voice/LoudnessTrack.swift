// SPDX-License-Identifier: MIT

import RadioCore

/// The loudness of decoded audio in windows of a tenth of a second, kept until the audio is heard. Confined to the
/// sound thread.
struct LoudnessTrack {
    private var meter: LoudnessMeter
    private let window: Int
    private var windows: [(end: Int64, loudness: Loudness)] = []

    /// The limit for the number of windows: they span more audio than a ``PCMHistory`` holds.
    private static let most = 40

    init(_ format: PCMFormat) {
        meter = LoudnessMeter(channels: format.channels)
        window = max(1, format.sampleRate / 10)
    }

    /// Measures decoded samples. `end` is the number of the sample after the last of `values`.
    mutating func add(_ values: UnsafeBufferPointer<Float>, upTo end: Int64) {
        meter.add(values)
        guard meter.samples >= window, let loudness = meter.take() else { return }
        if windows.count == Self.most { windows.removeFirst() }
        windows.append((end, loudness))
    }

    /// The loudness of the window around a sample, or else of the newest window; nil before the first window.
    func at(_ sample: Int64) -> Loudness? {
        windows.first { $0.end > sample }?.loudness ?? windows.last?.loudness
    }
}
