// SPDX-License-Identifier: MIT

import Glibc
import TestTools

/// How loud each second of a file of 44.1 kHz is, as ffmpeg decodes it. Shares no code with the product.
package struct SecondsOfSound: Sendable {
    private static let rate = 44_100
    private let samples: [Float]

    package init(ofFile path: String) throws {
        let outcome = try ChildProcess(
            .ffmpeg,
            [
                "-hide_banner", "-loglevel", "error", "-nostdin", "-i", path, "-ac", "2", "-ar", "\(Self.rate)", "-f",
                "f32le", "-",
            ]
        ).wait(within: .seconds(60))
        samples = outcome.standardOutput.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    package var count: Int { samples.count / 2 / Self.rate }

    /// The RMS and the peak of a second in decibels. Frames at its edges may belong to the seconds beside it, so a
    /// range is returned.
    package func levels(of second: Int) -> (rms: ClosedRange<Double>, peak: ClosedRange<Double>) {
        let found = [-0.03, 0, 0.03].map { shift in
            let start = max(0, Int((Double(second) + shift) * Double(Self.rate)) * 2)
            let part = samples[min(start, samples.count)..<min(start + 2 * Self.rate, samples.count)]
            let squares = part.reduce(0.0) { $0 + Double($1) * Double($1) }
            return (
                rms: Self.decibels((squares / Double(max(1, part.count))).squareRoot()),
                peak: Self.decibels(Double(part.reduce(0) { max($0, abs($1)) }))
            )
        }
        let (rms, peak) = (found.map(\.rms).sorted(), found.map(\.peak).sorted())
        return (rms[0]...rms[2], peak[0]...peak[2])
    }

    private static func decibels(_ value: Double) -> Double { value > 1e-5 ? 20 * log10(value) : -100 }
}
