// SPDX-License-Identifier: MIT

package import RadioFormats

/// What is known of a station in HLS, for reports.
package struct SegmentFacts: Hashable, Sendable {
    /// Where the list of segments is.
    package var url: String
    /// The variants to choose from, if the address led to a list of these.
    package var variants: [HLSVariant]
    /// The one that was taken; nil if there was no choice.
    package var variant: HLSVariant?
    /// Nil before the first segment.
    package var container: SegmentContainer?
    /// How long a segment is at most, as the list says.
    package var targetDuration: Duration
    /// How much audio the list has.
    package var window: Duration
    /// Whether the list says when its segments were on air.
    package var isDated: Bool
    package var isEncrypted: Bool

    init(_ list: MediaPlaylist, _ place: HLSPlace, _ container: SegmentContainer?) {
        url = place.url
        (variants, variant) = (place.variants, place.choice?.variant)
        self.container = container
        targetDuration = list.targetDuration
        window = list.segments.reduce(.zero) { $0 + $1.duration }
        isDated = list.segments.contains { $0.date != nil }
        isEncrypted = list.segments.contains { $0.key != nil }
    }
}
