// SPDX-License-Identifier: MIT

/// A playlist of HTTP Live Streaming (RFC 8216 and its successor, draft-pantos-hls-rfc8216bis).
package enum HLSPlaylist: Hashable, Sendable {
    /// A list of variants of one programme.
    case master(MasterPlaylist)
    /// A list of segments.
    case media(MediaPlaylist)

    /// A day of segments of four seconds fits in.
    package static let longestBody = 8 << 20

    /// Parses the body of a response.
    ///
    /// `base` is the address that the list came from, after redirects; all addresses in the result are absolute.
    /// `imports` are the variables of the master playlist that led here (``MasterPlaylist/variables``). Tags that are
    /// unknown, or of no use for a recording, are ignored.
    package init(_ body: [UInt8], base: String, imports: [String: String] = [:]) throws(HLSProblem) {
        // UTF-16 is against the standard, and recognized as other lists are.
        let text = CharsetDecoder.utf16(body) ?? DocumentText.unmarkedUTF16(body)
        try self.init(reading: text.map { Array($0.utf8) } ?? body, base: base, imports: imports)
    }

    /// Parses a body like ``init(_:base:imports:)``; generic, so that tests can count the bytes that are read.
    package init(
        reading body: some IndexedBytes, base: String, imports: [String: String] = [:]
    ) throws(HLSProblem) {
        guard body.count <= Self.longestBody else { throw .tooLong }
        let addresses = HLSAddresses(base: base, imports: imports, length: body.count)
        var lines = HLSLines(body)
        while let line = lines.next() {
            guard case .tag(let tag, _) = line else { continue }
            switch tag {
            case "EXT-X-STREAM-INF", "EXT-X-MEDIA", "EXT-X-I-FRAME-STREAM-INF":
                self = .master(try MasterPlaylist(HLSLines(body), addresses))
                return
            case "EXTINF", "EXT-X-TARGETDURATION", "EXT-X-MEDIA-SEQUENCE", "EXT-X-ENDLIST":
                self = .media(try MediaPlaylist(HLSLines(body), addresses))
                return
            default: continue
            }
        }
        throw .noHLS
    }
}

/// Why a text is no playlist that can be followed.
package enum HLSProblem: Error, Hashable, Sendable {
    /// The playlist is longer than ``HLSPlaylist/longestBody``, or its addresses would be.
    case tooLong
    /// The text has neither variants nor segments.
    case noHLS
    /// The master playlist has no variant with an address.
    case noVariants
    /// A tag that other tags depend on cannot be read: the tag, for messages.
    case malformed(String)
    /// An address is longer than ``HLSAddresses/longest`` bytes.
    case longAddress
    /// An address is not of the web: its scheme, for messages; nil if it is relative, and so is the list's own.
    case noWebAddress(scheme: String?)
    /// An address refers to a variable that the playlist does not define: its name, for messages.
    case undefinedVariable(String)

    /// A tag as a message may show it.
    static func malformed(_ tag: String, _ value: some IndexedBytes) -> HLSProblem {
        .malformed(TitleText.cleaned("#\(tag):\(String(decoding: value.prefix(64), as: UTF8.self))", toBytes: 80))
    }
}
