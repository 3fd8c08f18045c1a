// SPDX-License-Identifier: MIT

import Instants

/// From which addresses a station still wants metadata. A value; bounded.
///
/// Where it cannot be read at all, or came out of step with the audio twice within ten minutes, it does more harm than
/// good: without it the audio is whole.
struct TitleTrust {
    private var refused: Set<String> = []
    private var lastSlip: [String: MonotonicInstant] = [:]

    private static let memory = Duration.seconds(600)
    private static let mostAddresses = 1_000

    /// Whether the server there is to be asked for metadata.
    func wantsMetadata(from url: String) -> Bool { !refused.contains(url) }

    /// It was never where the head said.
    mutating func misread(_ url: String) {
        lastSlip[url] = nil
        if refused.count < Self.mostAddresses { refused.insert(url) }
    }

    /// It was, and then was not any more.
    mutating func slipped(_ url: String, _ now: MonotonicInstant) {
        if let last = lastSlip[url], now - last < Self.memory { return misread(url) }
        if lastSlip.count >= Self.mostAddresses { lastSlip = lastSlip.filter { now - $0.value < Self.memory } }
        if lastSlip.count < Self.mostAddresses { lastSlip[url] = now }
    }
}
