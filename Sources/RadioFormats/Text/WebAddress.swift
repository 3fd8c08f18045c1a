// SPDX-License-Identifier: MIT

/// Checks addresses that a station states about itself, before they are passed on to players and pages.
package enum WebAddress {
    /// The most bytes of an address.
    package static let longest = 2048

    /// The address, if it is an `http` or `https` URL of printable ASCII characters; nil otherwise.
    ///
    /// An apostrophe, which would end the value in a metadata block, is percent-encoded.
    package static func checked(_ text: some Collection<UInt8>) -> String? {
        let text = text.drop { $0 <= 0x20 }
        guard text.count <= longest, text.allSatisfy({ (0x21...0x7E).contains($0) && !unsafe.contains($0) }) else {
            return nil
        }
        let address = String(decoding: text, as: UTF8.self).replacing("'", with: "%27")
        let scheme = ["http://", "https://"].first { address.prefix($0.utf8.count).lowercased() == $0 }
        guard let scheme, let host = address.dropFirst(scheme.utf8.count).first, !"/?#".contains(host) else {
            return nil
        }
        return address
    }

    /// Characters that no URL contains (RFC 3986, appendix A), and that mean something to HTML.
    static let unsafe = Array("\"<>\\^`{|}".utf8)
}
