// SPDX-License-Identifier: MIT

import CurlClient
import RadioFormats

/// Where a list was found, and how to ask for it again.
struct HLSPlace {
    /// After all redirects.
    var url: String
    /// Whether its segments may lie in a private network.
    var allowsPrivateAddress: Bool
    /// The variables that its list of variants defines.
    var imports: [String: String] = [:]
    var variants: [HLSVariant] = []
    /// The one that was chosen; nil if there was no choice.
    var choice: VariantChoice?
    /// The head of the newest list, by which its server tells whether it has changed.
    var head: ResponseHead?
}
