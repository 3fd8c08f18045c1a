// SPDX-License-Identifier: MIT

import RadioFormats

/// Parsers of what strangers send, each with what must hold for any input at all: for libFuzzer (`make fuzz`), and for
/// the tests, which go through the same inputs that were worth keeping (`Tests/Seeds`).
package enum FuzzTarget: String, CaseIterable, Sendable {
    case icy, mpeg, adts, ogg, id3, playlist, json, recognition, request

    /// What is wrong with what the parser made of the bytes; nil: nothing.
    package func complaint(about bytes: [UInt8]) -> String? {
        switch self {
        case .icy: ICYChecks.complaint(about: bytes)
        case .mpeg:
            FramerChecks.complaint(about: bytes) { MPEGAudioFramer() }
        case .adts:
            FramerChecks.complaint(about: bytes) { ADTSFramer() }
        case .ogg: FramerChecks.complaint(about: bytes) { OggFramer() }
        case .id3: TextChecks.tag(bytes)
        case .playlist: TextChecks.playlist(bytes)
        case .json: TextChecks.json(bytes)
        case .recognition: TextChecks.recognition(bytes)
        case .request: RequestChecks.complaint(about: bytes)
        }
    }
}
