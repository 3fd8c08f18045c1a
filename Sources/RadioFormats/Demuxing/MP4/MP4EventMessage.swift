// SPDX-License-Identifier: MIT

/// The ID3 tags in event messages (`emsg`, ISO/IEC 23009-1 §5.10.3.3).
enum MP4EventMessage {
    /// The tag in an event message; nil if it has none.
    static func tag(_ message: MP4Fields) throws(DemuxProblem) -> ArraySlice<UInt8>? {
        var fields = message
        let version = try fields.versionAndFlags().version
        guard version <= 1 else { return nil }
        // Time scale, time, length and number of the event.
        if version == 1 { try fields.skip(20) }
        let scheme = try fields.text()
        _ = try fields.text()
        if version == 0 { try fields.skip(16) }
        guard scheme == "https://aomedia.org/emsg/ID3" || scheme == "http://www.id3.org/ID3v2.4" else { return nil }
        return fields.rest.starts(with: "ID3".utf8) ? fields.rest : nil
    }
}
