// SPDX-License-Identifier: MIT

/// A setting that can be at fault, or that can be changed to fix a failure. The raw value is its key in formats with
/// keys and values; a command line has its own names for settings.
package enum SettingField: String, Hashable, Sendable, CaseIterable {
    // How to reach a station, and what to call it.
    case url, header, charset, station
    /// The user's own name for the only station.
    case alias = "as"
    case userAgent = "user_agent"
    case caFile = "ca_file"
    case proxy
    case netrcFile = "netrc_file"
    /// Whether any entry of a list may stand in for the station.
    case anyEntry = "any_entry"
    /// Which variant of a station in HLS to take, and the lists that heal its gaps.
    case variant, heal

    // What to do with the audio.
    case output, name, segment, record, exec
    case titleOffset = "title_offset"
    case keepFree = "keep_free"

    // What to serve, and how.
    case source, shuffle, once, relay, listen, mount, burst, rewind, linger, fallback
    case onDemand = "on_demand"
    /// Whether silence or a fallback replaces the station while it is unavailable.
    case filler

    // How to play the station.
    case device, volume
    /// Whether to list the devices instead of playing.
    case deviceList = "list_devices"
    case repeats = "repeat"
    case startAt = "start_at"

    // Who may listen.
    case users, user, allow, deny
    case trustedProxy = "trusted_proxy"
}

/// The name of a setting for a certain reader; nil if settings are not mentioned to that reader.
package typealias SettingName = (SettingField) -> String?
