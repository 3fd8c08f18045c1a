// SPDX-License-Identifier: MIT

/// The number of samples in the head of a FLAC file.
package enum FLACHeadCount {
    /// The length of the part of the head that has the number: the marker and the first block.
    package static let length = marker.count + 4 + FLACStreamInfo.length

    private static let marker = Array("fLaC".utf8)

    /// The first bytes of a file, with another number of samples; nil if they state none.
    package static func head(_ bytes: [UInt8], counting samples: Int64) -> [UInt8]? {
        guard bytes.count == length, bytes.starts(with: marker), bytes[marker.count] & 0x7F == 0,
            var info = FLACStreamInfo(bytes[(marker.count + 4)...]), info.samples > 0
        else { return nil }
        info.samples = samples
        return marker + FLACBlock.encoded(info, isLast: bytes[marker.count] & 0x80 != 0)
    }
}
