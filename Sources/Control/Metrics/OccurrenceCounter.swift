// SPDX-License-Identifier: MIT

/// A metric that counts the occurrences of one name, which are no events of hooks: these are counted anyway. A new one
/// is an entry in ``all``.
struct OccurrenceCounter: Sendable {
    let name: String
    let help: String
    /// The name of the occurrences.
    let occurrence: String
    /// The field of an occurrence that says how many it stands for; nil if each counts once.
    var amount: String?
    /// The field that becomes the label of a sample; nil for a metric of one sample.
    var label: String?

    static let hookFailures = Self(
        name: "hook_failures_total",
        help: "Failed attempts of hooks, except the first for an event that is tried again.", occurrence: "hook failed",
        label: "hook")

    /// All counters, in the order in which they are served.
    static let all = [
        hookFailures,
        Self(
            name: "hook_events_dropped_total", help: "Events that hooks did not get, because too many waited.",
            occurrence: "hooks dropped", amount: "count"),
        Self(
            name: "reloads_failed_total", help: "Configurations that could not be used.", occurrence: "not configured"),
    ]
}
