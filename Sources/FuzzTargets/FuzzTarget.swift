// SPDX-License-Identifier: MIT

import RadioFormats

/// Parsers of what strangers send, each with what must hold for any input at all: for libFuzzer (`make fuzz`), and for
/// the tests, which go through the same inputs that were worth keeping (`Tests/Seeds`).
package enum FuzzTarget: String, CaseIterable, Sendable {
    case icy, mpeg, adts, ogg, flac, id3, playlist, json, recognition, request, path

    /// How many steps (`scripts/fuzz-work.c`) an input may take for each of its bytes, the checks included: several times
    /// what any has taken that is known.
    package var mostWork: Int {
        switch self {
        case .id3, .request: 64
        case .mpeg, .adts, .ogg, .flac, .json: 128
        case .icy, .playlist: 256
        // Each of five types looks at ever longer beginnings, where each byte may begin a chain of packets, and the body
        // may come in pieces.
        case .recognition: 8_192
        // Time passes in tenths of a second until a silent station has been given up, and all sinks hear of all. A few
        // dozen bytes of Ogg may begin a file of its own, with a sidecar.
        case .path: 2_048
        }
    }

    /// A shorter input may take as many steps as one of this length: there is always something to be done once.
    package static let leastLength = 4_096

    /// What is wrong with what the parser made of the bytes; nil: nothing.
    package func complaint(about bytes: [UInt8]) -> String? {
        switch self {
        case .icy: ICYChecks.complaint(about: bytes)
        case .mpeg:
            FramerChecks.complaint(about: bytes) { MPEGAudioFramer() }
        case .adts:
            FramerChecks.complaint(about: bytes) { ADTSFramer() }
        case .ogg: FramerChecks.complaint(about: bytes) { OggFramer() }
        case .flac: FramerChecks.complaint(about: bytes) { FLACFramer() }
        case .id3: TextChecks.tag(bytes)
        case .playlist: TextChecks.playlist(bytes)
        case .json: TextChecks.json(bytes)
        case .recognition: TextChecks.recognition(bytes)
        case .request: RequestChecks.complaint(about: bytes)
        case .path: PathChecks.complaint(about: bytes)
        }
    }
}
