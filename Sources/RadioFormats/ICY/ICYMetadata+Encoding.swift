// SPDX-License-Identifier: MIT

extension ICYMetadata {
    /// The maximum number of bytes of a block after its length byte.
    package static let longestPayload = 255 * 16

    /// Encodes a block that announces a title, with its length byte in front. A title that does not fit is cut between
    /// two characters. `url`: a checked ``WebAddress``, left out if it does not fit after the title.
    ///
    /// Parsers end the value at an apostrophe followed by a semicolon, so such an apostrophe becomes a typographic one.
    package static func encoded(title: String, url: String? = nil) -> [UInt8] {
        let (prefix, suffix) = (Array("StreamTitle='".utf8), Array("';".utf8))
        var value: [UInt8] = []
        var isApostrophe = false
        for scalar in title.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7f {
            if isApostrophe {
                value.removeLast()
                value += scalar == ";" ? Array("’".utf8) : Array("'".utf8)
            }
            let bytes = Array(String(scalar).utf8)
            guard prefix.count + value.count + bytes.count + suffix.count + 2 <= longestPayload else { break }
            value += bytes
            isApostrophe = scalar == "'"
        }
        var payload = prefix + value + suffix
        let link = url.map { Array("StreamUrl='\($0)';".utf8) } ?? []
        if payload.count + link.count <= longestPayload { payload += link }
        let units = (payload.count + 15) / 16
        return [UInt8(units)] + payload + Array(repeating: 0, count: units * 16 - payload.count)
    }
}
