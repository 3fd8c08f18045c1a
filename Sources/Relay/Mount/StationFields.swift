// SPDX-License-Identifier: MIT

import HTTPServer
import RadioCore
import RadioFormats

/// The header fields that describe a mount's station in the response head.
package enum StationFields {
    /// The user's descriptions of the station. A field that is nil gets the station's own value.
    package struct Overrides: Hashable, Sendable {
        package var name: String?
        package var genre: String?
        package var description: String?
        package var homepage: String?
        /// The bit rate in kbit/s.
        package var bitRate: Int?
        /// The sample rate in Hz.
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

    /// Upstream fields that are passed on if their values are valid.
    private static let passedOn = ["genre", "description", "url", "br", "sr", "pub"].map { "icy-\($0)" }

    /// The fields for the response head. `name`: the station's name. `measuredRate`: the bit rate of the audio so far
    /// in kbit/s, for a station that does not state it; nil if unknown.
    static func fields(
        _ info: StationInfo?, _ format: StreamFormat, _ overrides: Overrides, name: String, measuredRate: Int? = nil
    ) -> [HTTPField] {
        var fields = [
            HTTPField("Content-Type", format.fileType.contentType), HTTPField("Cache-Control", "no-cache, no-store"),
            HTTPField("icy-name", name),
        ]
        for name in passedOn {
            let stated = overrides[name] ?? info?[name].flatMap { checked($0, name) }
            let measured = name == "icy-br" ? measuredRate.map { String($0) } : nil
            if let value = stated ?? measured { fields.append(HTTPField(name, value)) }
        }
        return fields
    }

    /// The station's value of a field; nil if it is invalid, such as `icy-br: 128,128` or `icy-url: (null)`.
    private static func checked(_ value: String, _ name: String) -> String? {
        switch name {
        case "icy-br": number(value, in: 1...10_000)
        case "icy-sr": number(value, in: 4_000...768_000)
        case "icy-pub": number(value, in: 0...1)
        case "icy-url": WebAddress.checked(value.utf8)
        default: value
        }
    }

    private static func number(_ text: String, in range: ClosedRange<Int>) -> String? {
        guard text.utf8.allSatisfy(\.isDigit), let number = Int(text), range.contains(number)
        else { return nil }
        return String(number)
    }
}

extension StationInfo {
    /// The first non-empty value of an `icy-*` field.
    fileprivate subscript(_ name: String) -> String? {
        icyFields.first { $0.name == name && !$0.value.isEmpty }?.value
    }
}
