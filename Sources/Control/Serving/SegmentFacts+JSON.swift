// SPDX-License-Identifier: MIT

package import RadioFormats
package import Stations

extension SegmentFacts {
    /// As JSON, for `aircheck status --json` and `aircheck probe --json`.
    package var json: JSONValue {
        .object([
            "list": AddressText(url).redacted, "container": container?.rawValue, "target_seconds": targetDuration,
            "window_seconds": window, "dated": isDated, "encrypted": isEncrypted,
            "variant_bit_rate": variant.flatMap(\.rate),
            "variants": variants.map { ["bit_rate": $0.rate, "codecs": $0.codecs] as JSONObject },
        ])
    }
}
