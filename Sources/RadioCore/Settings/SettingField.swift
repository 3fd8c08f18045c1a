// SPDX-License-Identifier: MIT

/// A setting that can be at fault, or that can be changed to mend a failure. The raw value is its key where settings are
/// written as keys and values; a command line has its own names for them.
package enum SettingField: String, Hashable, Sendable, CaseIterable {
    // How to reach a station.
    case url, header, charset
    case userAgent = "user_agent"
    case caFile = "ca_file"

    // What to do with the audio.
    case output, name, segment
    case titleOffset = "title_offset"

    // What to serve, and how.
    case source, shuffle, once, listen, mount, burst, linger, fallback
    case onDemand = "on_demand"
    /// Whether silence or a fallback stands in for the station while it is away.
    case filler

    // Who may listen.
    case users, user, allow, deny
    case trustedProxy = "trusted_proxy"
}
