// SPDX-License-Identifier: MIT

import Instants

/// A server of a test's own that speaks PulseAudio's protocol, with a null sink called "speaker".
package protocol SoundServer: Sendable {
    /// What clients take for its address.
    var address: String { get }
    /// What a program needs in its environment to use this server and nothing else.
    var environment: [String: String] { get }
    /// Samples a second of the sink.
    var sampleRate: Int { get }
}

extension SoundServer {
    /// Runs `pactl` and returns what it writes.
    ///
    /// - Throws: ``SetupError`` where it fails or takes longer than 10 s.
    @discardableResult
    package func control(_ arguments: [String]) throws -> String {
        let outcome = try ChildProcess(.pactl, arguments, environment: environment).wait(within: .seconds(10))
        guard outcome.succeeded else {
            throw SetupError("pactl \(arguments.joined(separator: " ")): \(outcome.standardError)")
        }
        return outcome.text
    }

    /// The number of the one stream that plays; nil where there is none.
    package func streamNumber() throws -> Int? {
        try control(["list", "short", "sink-inputs"]).split(separator: "\t").first.flatMap { Int($0) }
    }

    /// What `pactl list sink-inputs` says about the streams that play.
    package func streams() throws -> String { try control(["list", "sink-inputs"]) }
}
