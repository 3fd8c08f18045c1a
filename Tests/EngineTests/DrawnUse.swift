// SPDX-License-Identifier: MIT

import RadioCore
import TestSupport

/// A randomly drawn use. Times are in seconds since the beginning.
struct DrawnUse: CustomStringConvertible {
    enum Kind: Hashable {
        case recording
        /// A recording that begins this many seconds in the past, or with the audio that was on air then.
        case pastRecording(Double), airTimeRecording(Double)
        case mount, onDemand, probe
        /// A use that claims this ring depth, in seconds.
        case keeping(Double)
    }
    let id: String
    /// The numbers of its programme, and of the programme that its listeners get while the first one is unavailable.
    let programme: Int
    let fallback: Int?
    let kind: Kind
    let begin: Double
    /// The time at which the use ends, or its programme is removed.
    private(set) var end: Double
    /// The span during which somebody listens.
    private(set) var listening: ClosedRange<Double>?

    /// Draws a use. It begins at a tenth of a second, and its fallback is one of the first programmes.
    init(_ number: Int, of stations: [DrawnStation], fallbacks: Int, until last: Double, _ random: inout SplitMix64) {
        begin = Double(Int.random(in: 0..<500, using: &random)) / 10
        // No use ends at a time at which another one begins, so the order of these events is certain.
        let length = Double(Int.random(in: 10...200, using: &random)) / 10 + 0.05
        let past = Double(Int.random(in: 1...300, using: &random)) / 10
        let kinds: [Kind] = [
            .recording, .recording, .pastRecording(past), .airTimeRecording(past), .mount, .mount, .mount, .onDemand,
            .onDemand, .probe, .keeping(past),
        ]
        id = "u\(number)"
        kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
        programme = Int.random(in: 0..<stations.count, using: &random)
        let other = Int.random(in: -1..<fallbacks, using: &random)
        fallback = isMount(kind) && other >= 0 && other != programme ? other : nil
        end = min(begin + length, last)
        if let absence = stations[programme].absence, begin < absence.lowerBound { end = min(end, absence.lowerBound) }
        guard isMount(kind), end - begin > 2 else { return }
        let comes = ((begin + 0.5) * 10).rounded() / 10
        listening = comes...max(comes + 1.025, ((end - 0.5) * 10).rounded() / 10 + 0.025)
    }

    /// The earliest air time of its first audio.
    var beginOfAudio: Double {
        switch kind {
        case .pastRecording(let past), .airTimeRecording(let past): begin - past
        case .recording, .mount, .onDemand, .probe, .keeping: begin
        }
    }

    /// Whether a frame was sent on a connection that was opened before the use ended.
    func mayHave(_ place: Int, _ sent: [DrawnStation.Sent]) -> Bool {
        sent.contains { $0.time < end && $0.places.contains(place) }
    }

    var description: String {
        "\(id): \(kind) of s\(programme)" + (fallback.map { " with s\($0)" } ?? "") + ", \(begin)…\(end)"
            + (listening.map { ", heard \($0)" } ?? "")
    }
}

private func isMount(_ kind: DrawnUse.Kind) -> Bool { kind == .mount || kind == .onDemand }
