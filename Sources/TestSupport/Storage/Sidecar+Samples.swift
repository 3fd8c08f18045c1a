// SPDX-License-Identifier: MIT

package import RadioCore
package import RadioFormats

extension StreamFormat {
    /// MP3 at 44.1 kHz in stereo, the format of most tests.
    package static let mp3 = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 2)
}

extension Sidecar {
    /// A sidecar of a file with this audio; without `samples`, of frames of layer III.
    package init(
        _ state: State, at: CivilTime? = nil, frames: Int64 = 0, bytes: Int64 = 0, samples: Int64? = nil,
        format: StreamFormat = .mp3
    ) {
        self.init(
            format: format, at: at, frames: frames, bytes: bytes, samples: samples ?? 1_152 * frames, state: state)
    }
}
