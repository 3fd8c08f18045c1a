// SPDX-License-Identifier: MIT

import TestTools

/// A private sound server that speaks the PulseAudio protocol, by default with a null sink called "speaker".
package protocol SoundServer: Sendable {
    /// The address that clients connect to.
    var address: String { get }
    /// The environment variables that make a program use only this server.
    var environment: [String: String] { get }
    /// The sample rate of the sink in Hz.
    var sampleRate: Int { get }
}

extension SoundServer {
    /// Runs `pactl` and returns its output.
    ///
    /// - Throws: ``SetupError`` if it fails or takes longer than 10 s.
    @discardableResult
    package func control(_ arguments: [String]) throws -> String {
        let outcome = try ChildProcess(.pactl, arguments, environment: environment).wait(within: .seconds(10))
        guard outcome.succeeded else {
            throw SetupError("pactl \(arguments.joined(separator: " ")): \(outcome.standardError)")
        }
        return outcome.text
    }

    /// The index of the first stream that plays; nil if there is none.
    package func streamNumber() throws -> Int? {
        try control(["list", "short", "sink-inputs"]).split(separator: "\t").first.flatMap { Int($0) }
    }

    /// The output of `pactl list sink-inputs` about the streams that play.
    package func streams() throws -> String { try control(["list", "sink-inputs"]) }
}
