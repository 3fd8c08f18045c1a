// SPDX-License-Identifier: MIT

import Decoding
package import RadioCore
package import SoundOutput

extension Failure {
    /// Why there is no sound.
    package init(_ error: SoundError) {
        self =
            switch error {
            case .missing(let package):
                Failure(.sound, "sound needs libpulse, which is not installed", remedy: "install \(package)")
            case .unusable(let words, let remedy):
                Failure(.sound, "the library for sound cannot be opened: \(words)", remedy: remedy)
            case .noServer(let cause):
                Failure(
                    .sound, "no sound server can be reached (\(cause))",
                    remedy: "start PulseAudio or PipeWire for this user")
            case .refused(let words):
                Failure(.sound, "the sound server refuses to play: \(words)", remedy: "look at its log and settings")
            case .noDevice(let name):
                Failure(
                    .sound, "the sound server has no device called \(name)",
                    remedy: "plug it in, or list the devices", setting: .deviceList)
            case .hangs:
                Failure(.sound, "the sound server does not answer", remedy: "restart it if it does not come back")
            case .gone(let cause):
                Failure(.sound, "the sound server is gone (\(cause))", remedy: "start the sound server again")
            case .deviceGone:
                Failure(.sound, "the sound device is gone", remedy: "plug it in again, or choose another device")
            }
    }

    /// Why frames cannot be decoded.
    init(_ error: DecodingError) {
        self =
            switch error {
            case .missing(let name, let package):
                Failure(
                    .sound, "playing this needs \(name), which is not installed", remedy: "install \(package)")
            case .damagedFrame(let cause):
                Failure(.sound, "a frame cannot be decoded: \(cause)", remedy: "see whether other programs play it")
            case .failed(let cause):
                Failure(.sound, "the audio cannot be decoded: \(cause)", remedy: "see whether other programs play it")
            case .broken(let cause, let remedy):
                Failure(.sound, "the audio cannot be decoded: \(cause)", remedy: remedy)
            }
    }
}
