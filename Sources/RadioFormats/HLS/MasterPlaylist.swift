// SPDX-License-Identifier: MIT

/// A playlist of variants of one programme.
package struct MasterPlaylist: Hashable, Sendable {
    /// The most variants, and the most renditions, that are kept: the first ones.
    package static let mostVariants = 200

    /// At least one.
    package var variants: [HLSVariant] = []
    package var audio: [AudioRendition] = []
    /// The variables that media playlists may import.
    package var variables: [String: String] = [:]

    init<Bytes>(_ lines: HLSLines<Bytes>, _ addresses: HLSAddresses) throws(HLSProblem) {
        var lines = lines
        var addresses = addresses
        var pending: HLSAttributes?
        while let line = lines.next() {
            switch line {
            case .tag("EXT-X-STREAM-INF", let value): pending = HLSAttributes(value)
            case .tag("EXT-X-MEDIA", let value) where audio.count < Self.mostVariants:
                if let rendition = try AudioRendition(HLSAttributes(value), &addresses) { audio.append(rendition) }
            case .tag("EXT-X-DEFINE", let value): addresses.define(HLSAttributes(value))
            case .tag: break
            case .address(let text):
                guard let attributes = pending, variants.count < Self.mostVariants else { continue }
                let url = try addresses.absolute(String(decoding: text, as: UTF8.self))
                variants.append(HLSVariant(url: url, attributes, &addresses))
                pending = nil
            }
        }
        guard !variants.isEmpty else { throw .noVariants }
        variables = addresses.variables
    }
}

/// A variant of a programme (EXT-X-STREAM-INF): its media playlist and what is known of it.
package struct HLSVariant: Hashable, Sendable {
    package var url: String
    /// The peak and the mean bit rate, in bits per second.
    package var bandwidth: Int
    package var averageBandwidth: Int?
    /// The codecs as written, such as `mp4a.40.2,avc1.4d401e`; nil if they are not stated.
    package var codecs: String?
    /// The group of renditions (``AudioRendition/group``) that play with the variant.
    package var audioGroup: String?
    /// Whether the variant states a picture: a resolution, a group of video, or a codec.
    package var hasVideo: Bool
    /// The mean bit rate, or else the peak, in bits per second; nil if neither is stated.
    package var rate: Int? { averageBandwidth ?? (bandwidth > 0 ? bandwidth : nil) }

    init(url: String, _ attributes: HLSAttributes, _ addresses: inout HLSAddresses) {
        self.url = url
        bandwidth = Self.rate(attributes["BANDWIDTH"]) ?? 0
        averageBandwidth = Self.rate(attributes["AVERAGE-BANDWIDTH"])
        codecs = attributes["CODECS"].map { addresses.filled($0, toBytes: 256) }
        audioGroup = attributes["AUDIO"].map { addresses.filled($0, toBytes: 256) }
        // A variant with audio alone may name a group of video, too.
        hasVideo =
            attributes["RESOLUTION"] != nil || codecs == nil && attributes["VIDEO"] != nil
            || HLSCodecs(codecs).hasVideo
    }

    private static func rate(_ text: String?) -> Int? {
        guard let rate = text.flatMap({ HLSNumber.integer($0) }), rate > 0 else { return nil }
        return Int(min(rate, 1_000_000_000))
    }
}

/// Another version of the audio (EXT-X-MEDIA of type AUDIO).
package struct AudioRendition: Hashable, Sendable {
    package var group: String
    package var name: String?
    package var language: String?
    package var isDefault: Bool
    package var isAutoselected: Bool
    package var channels: String?
    /// The media playlist; nil if the audio is that inside the variants.
    package var url: String?

    /// Nil if the rendition is not of audio.
    init?(_ attributes: HLSAttributes, _ addresses: inout HLSAddresses) throws(HLSProblem) {
        func text(_ name: String) -> String? { attributes[name].map { addresses.filled($0, toBytes: 256) } }
        guard attributes["TYPE"] == "AUDIO", let group = text("GROUP-ID") else { return nil }
        self.group = group
        (name, language, channels) = (text("NAME"), text("LANGUAGE"), text("CHANNELS"))
        (isDefault, isAutoselected) = (attributes["DEFAULT"] == "YES", attributes["AUTOSELECT"] == "YES")
        if let address = attributes["URI"] { url = try addresses.absolute(address) }
    }
}
