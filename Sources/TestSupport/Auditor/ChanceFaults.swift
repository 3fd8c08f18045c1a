// SPDX-License-Identifier: MIT

import Glibc
import Instants

/// The faults that one connection of a ``ChanceStation`` meets, drawn at random.
struct ChanceFaults {
    private(set) var faults: [LiveFault] = []
    /// If the server refuses connections after it has closed this one: from when on, relative to the accept, and for
    /// how long.
    private(set) var refusal: (from: Duration, length: Duration)?
    private var time = 0.0

    /// Draws faults until one ends the connection, or for `length`.
    init(length: Duration, _ random: inout SplitMix64) {
        while true {
            // A fault about every 14 seconds.
            time += 0.3 - 14 * log(Double.random(in: 0.000_001..<1, using: &random))
            guard time < length.inSeconds, add(&random) else { return }
        }
    }

    /// Adds one fault. Returns whether the connection survives it.
    private mutating func add(_ random: inout SplitMix64) -> Bool {
        switch Double.random(in: 0..<1, using: &random) {
        case ..<0.30:
            add(.close, tearsFrame: Self.happens(0.6, &random), &random)
            if Self.happens(0.35, &random) {
                refusal = (.seconds(time), .seconds(Self.choice([0.3, 1, 2, 4, 8, 15], &random)))
            }
            return false
        case ..<0.45:
            add(.reset, tearsFrame: Self.happens(0.6, &random), &random)
            return false
        case ..<0.75:
            delay(&random)
            return true
        case ..<0.87:
            let length = Self.choice([4.5, 6, 8], &random)
            faults += [.at(.seconds(time), .stall), .at(.seconds(time + length), .resumeLive)]
            time += length
            return true
        case ..<0.93:
            faults += [.at(.seconds(time), .stall), .at(.seconds(time + 60), .close)]
            return false
        default:
            return true
        }
    }

    /// A silence, after which everything comes that aired meanwhile: at once, or at some speed.
    private mutating func delay(_ random: inout SplitMix64) {
        add(.stall, tearsFrame: Self.happens(0.5, &random), &random)
        let silence = Self.choice([0.7, 1.5, 2.5, 4, 7, 9, 12], &random)
        let speed = Self.choice([nil, nil, 20, 4, 2], &random)
        time += silence
        faults.append(.at(.seconds(time), speed.map { .resumeAt($0) } ?? .resume))
        if let speed { time += silence / Double(speed - 1) }
    }

    private mutating func add(_ effect: LiveFault.Effect, tearsFrame: Bool, _ random: inout SplitMix64) {
        let part = Double.random(in: 0..<1, using: &random)
        faults.append(tearsFrame ? .inFrame(after: .seconds(time), part: part, effect) : .at(.seconds(time), effect))
    }

    static func happens(_ probability: Double, _ random: inout SplitMix64) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }

    static func choice<Element>(_ elements: [Element], _ random: inout SplitMix64) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }
}
