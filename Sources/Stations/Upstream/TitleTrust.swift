// SPDX-License-Identifier: MIT

import Instants

/// Which addresses a station still asks for metadata, and whose response heads it still believes on it. A value;
/// bounded.
///
/// Where metadata cannot be read at all, or came out of step with the audio twice within ten minutes, it does more harm
/// than good: without it the audio is whole.
struct TitleTrust {
    private enum Loss {
        /// Metadata is not asked for any more. Some servers send it all the same, and say so: then it is taken out.
        case unwanted
        /// Metadata never was where the head said, and is not looked for there again.
        case disbelieved
    }

    private var losses: [String: Loss] = [:]
    private var lastSlip: [String: MonotonicInstant] = [:]

    private static let memory = Duration.seconds(600)
    private static let mostAddresses = 1_000

    /// Whether the server there is to be asked for metadata.
    func wantsMetadata(from url: String) -> Bool { losses[url] == nil }

    /// Whether metadata is where the head of the answer says.
    func believesHead(from url: String) -> Bool { losses[url] != .disbelieved }

    /// Metadata was never where the head said.
    mutating func misread(_ url: String) { lose(url, .disbelieved) }

    /// Metadata was where the head said, and then came out of step.
    mutating func slipped(_ url: String, _ now: MonotonicInstant) {
        guard wantsMetadata(from: url) else { return }
        if let last = lastSlip[url], now - last < Self.memory { return lose(url, .unwanted) }
        if lastSlip.count >= Self.mostAddresses { lastSlip = lastSlip.filter { now - $0.value < Self.memory } }
        if lastSlip.count < Self.mostAddresses { lastSlip[url] = now }
    }

    private mutating func lose(_ url: String, _ loss: Loss) {
        lastSlip[url] = nil
        if losses.count < Self.mostAddresses || losses[url] != nil { losses[url] = loss }
    }
}
