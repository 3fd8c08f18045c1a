// SPDX-License-Identifier: MIT

/// The length that an MPEG audio frame states, from the layer III tables of ISO 11172-3 and 13818-3.
enum FrameLength {
    /// Nil if the bytes do not begin with a layer III header.
    static func named(by frame: ArraySlice<UInt8>) -> Int? {
        let header = Array(frame.prefix(4))
        guard header.count == 4, header[0] == 0xFF, header[1] & 0xE6 == 0xE2 else { return nil }
        let version = Int(header[1] >> 3) & 3
        let (rate, frequency) = (Int(header[2] >> 4), Int(header[2] >> 2) & 3)
        guard version != 1, (1...14).contains(rate), frequency < 3 else { return nil }
        let kilobits = (version == 3 ? bitRates : lowBitRates)[rate]
        let hertz = [44_100, 48_000, 32_000][frequency] / [4, 1, 2, 1][version]
        return (version == 3 ? 144_000 : 72_000) * kilobits / hertz + Int(header[2] >> 1) & 1
    }

    private static let bitRates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let lowBitRates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
}
