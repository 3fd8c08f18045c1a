// SPDX-License-Identifier: MIT

import HTTPServer
import RadioCore
import RadioFormats

/// The header fields that describe a mount's station in the response head.
package enum StationFields {
    /// The user's descriptions of the station; nil leaves a field to the station.
    package struct Overrides: Hashable, Sendable {
        package var name: String?
        package var genre: String?
        package var description: String?
        package var homepage: String?
        /// In kbit/s.
        package var bitRate: Int?
        /// In Hz.
        package var sampleRate: Int?
        /// Whether directories may list the station.
        package var isPublic: Bool?

        package init() {}

        subscript(_ field: String) -> String? {
            switch field {
            case "icy-name": name
            case "icy-genre": genre
            case "icy-description": description
            case "icy-url": homepage
            case "icy-br": bitRate.map { String($0) }
            case "icy-sr": sampleRate.map { String($0) }
            case "icy-pub": isPublic.map { $0 ? "1" : "0" }
            default: nil
            }
        }
    }

    /// Upstream fields that are passed on unchanged.
    private static let passedOn = ["genre", "description", "url", "br", "sr", "pub"].map { "icy-\($0)" }

    static func fields(_ info: StationInfo?, _ format: StreamFormat, _ overrides: Overrides) -> [HTTPField] {
        var fields = [
            HTTPField("Content-Type", format.fileType.contentType), HTTPField("Cache-Control", "no-cache, no-store"),
        ]
        if let name = overrides.name ?? info?.name { fields.append(HTTPField("icy-name", name)) }
        for name in passedOn {
            guard let value = overrides[name] ?? info?[name] else { continue }
            fields.append(HTTPField(name, value))
        }
        return fields
    }
}

extension StationInfo {
    /// The first non-empty value of an `icy-*` field.
    fileprivate subscript(_ name: String) -> String? {
        icyFields.first { $0.name == name && !$0.value.isEmpty }?.value
    }
}
