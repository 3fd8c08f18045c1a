// SPDX-License-Identifier: MIT

/// The parameters of synthetic MPEG audio: layer III with valid headers and noise as payload.
package struct MPEGShape: Hashable, Sendable {
    /// The bit rate in kbit/s, one of those that layer III has at this sample rate.
    package var bitRate: Int
    /// The sample rate: 44,100, 48,000 or 32,000 Hz (MPEG-1), or half of one of these (MPEG-2).
    package var sampleRate: Int
    package var isMono: Bool
    /// Whether the bit rate changes from frame to frame, between half and twice ``bitRate``, within layer III's range.
    package var isVariable: Bool

    package init(_ bitRate: Int = 128, sampleRate: Int = 44_100, isMono: Bool = false, isVariable: Bool = false) {
        self.bitRate = bitRate
        self.sampleRate = sampleRate
        self.isMono = isMono
        self.isVariable = isVariable
    }

    /// The number of samples in a frame, per channel.
    var samples: Int { isHalf ? 576 : 1152 }
    private var isHalf: Bool { sampleRate < 32_000 }
    private var bitRates: [Int] {
        isHalf
            ? [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
            : [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    }
    private static let sampleRates = [44_100, 48_000, 32_000]

    /// The bit rates in kbit/s that a frame may have.
    var rates: [Int] {
        isVariable ? bitRates.dropFirst().filter { $0 >= bitRate / 2 && $0 <= bitRate * 2 } : [bitRate]
    }

    /// The header of a frame: four bytes (ISO 11172-3, 2.4.1.3, and ISO 13818-3, 2.4.1.3).
    func header(bitRate: Int, isPadded: Bool) -> [UInt8] {
        guard let rate = bitRates.firstIndex(of: bitRate), rate > 0,
            let frequency = Self.sampleRates.firstIndex(of: isHalf ? 2 * sampleRate : sampleRate)
        else {
            // An invalid shape is a programming error in a test, and no frame can represent it.
            preconditionFailure("layer III has no \(bitRate) kbit/s at \(sampleRate) Hz")
        }
        let third = UInt8(rate << 4 | frequency << 2 | (isPadded ? 2 : 0))
        // The frame has no checksum and is marked as original. Stereo is joint stereo.
        return [0xFF, isHalf ? 0xF3 : 0xFB, third, isMono ? 0xC4 : 0x44]
    }

    /// The length of a frame in bytes without padding, and the remainder. When the accumulated remainders of several
    /// frames reach the sample rate, a frame is padded with one byte.
    func length(bitRate: Int) -> (bytes: Int, leftover: Int) {
        let exact = samples / 8 * bitRate * 1000
        return (exact / sampleRate, exact % sampleRate)
    }
}
