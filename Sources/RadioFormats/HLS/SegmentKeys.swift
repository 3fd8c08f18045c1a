// SPDX-License-Identifier: MIT

/// The keys that apply at a place of a playlist. Keys of several formats apply at once; then one that Aircheck may use
/// counts before others.
struct SegmentKeys {
    private var identity: SegmentKey?
    private var foreign: SegmentKey?

    var current: SegmentKey? { identity ?? foreign }

    mutating func take(_ attributes: HLSAttributes, _ addresses: inout HLSAddresses) {
        let method = attributes["METHOD"].map { TitleText.cleaned($0, toBytes: 32) } ?? ""
        guard method != "NONE" else {
            (identity, foreign) = (nil, nil)
            return
        }
        if let format = attributes["KEYFORMAT"], format != "identity" {
            foreign = .encrypted(TitleText.cleaned(format, toBytes: 64))
        } else if method == "AES-128" {
            identity = Self.key(attributes, &addresses)
        } else {
            identity = .encrypted(method.isEmpty ? "an unknown method" : method)
        }
    }

    private static func key(_ attributes: HLSAttributes, _ addresses: inout HLSAddresses) -> SegmentKey {
        guard let url = attributes["URI"].flatMap({ try? addresses.absolute($0) }) else {
            return .encrypted("AES-128 without an address of the key")
        }
        guard let stated = attributes["IV"] else { return .aes128(url: url, vector: nil) }
        guard let vector = vector(addresses.filled(stated)) else { return .encrypted("AES-128 with a malformed IV") }
        return .aes128(url: url, vector: vector)
    }

    /// Sixteen bytes from `0x` and up to 32 hexadecimal digits.
    private static func vector(_ text: String) -> [UInt8]? {
        let digits = text.utf8.dropFirst(2).compactMap(\.hexadecimal)
        guard text.lowercased().hasPrefix("0x"), (1...32).contains(digits.count), digits.count == text.utf8.count - 2
        else { return nil }
        let padded = [UInt8](repeating: 0, count: 32 - digits.count) + digits
        return stride(from: 0, to: 32, by: 2).map { padded[$0] << 4 | padded[$0 + 1] }
    }
}
