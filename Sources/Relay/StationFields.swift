// SPDX-License-Identifier: MIT

import HTTPServer
import RadioCore
import RadioFormats

/// What a mount says of its station in the response head.
enum StationFields {
    /// Fields of the upstream that are passed on as they came.
    private static let passedOn = ["genre", "description", "url", "br", "sr", "pub"].map { "icy-\($0)" }

    static func fields(_ info: StationInfo?, _ format: StreamFormat) -> [HTTPField] {
        var fields = [
            HTTPField("Content-Type", format.codec.contentType), HTTPField("Cache-Control", "no-cache, no-store"),
            // Browsers' players are pages of any origin, and what is sent here is public to whoever can reach it.
            HTTPField("Access-Control-Allow-Origin", "*"),
        ]
        guard let info else { return fields }
        fields.append(HTTPField("icy-name", info.name))
        for name in passedOn {
            guard let field = info.icyFields.first(where: { $0.name == name && !$0.value.isEmpty }) else { continue }
            fields.append(HTTPField(name, field.value))
        }
        return fields
    }
}
