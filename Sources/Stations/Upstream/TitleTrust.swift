// SPDX-License-Identifier: MIT

import Instants

/// Tracks for each address of a station whether metadata is still requested, and whether the metadata interval in its
/// response heads is still trusted. A value; bounded.
///
/// Metadata that is unreadable, or got out of step with the audio twice within ten minutes, does more harm than good:
/// without it, the audio is intact.
struct TitleTrust {
    private enum Loss {
        /// Metadata is no longer requested. If the server announces it nevertheless, it is removed from the audio.
        case unwanted
        /// Metadata was never where the head said, and is no longer looked for there.
        case disbelieved
    }

    private var losses: [String: Loss] = [:]
    private var lastSlip: [String: MonotonicInstant] = [:]

    private static let memory = Duration.seconds(600)
    private static let mostAddresses = 1_000

    /// Whether to request metadata from this address.
    func wantsMetadata(from url: String) -> Bool { losses[url] == nil }

    /// Whether to trust the metadata interval in the address's response heads.
    func believesHead(from url: String) -> Bool { losses[url] != .disbelieved }

    /// Gives metadata up, because it was never where the head said.
    mutating func misread(_ url: String) { lose(url, .disbelieved) }

    /// Gives metadata up after two slips in ten minutes: it was in place and then got out of step.
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
