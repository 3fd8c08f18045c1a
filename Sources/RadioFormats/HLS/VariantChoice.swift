// SPDX-License-Identifier: MIT

/// Which variant of a programme a user wants.
package enum VariantWish: Hashable, Sendable {
    case best, smallest
    /// The variant whose bit rate, in bits per second, is nearest.
    case bitRate(Int)

    /// Parses `best`, `smallest`, `96k` or `128000`. A number under a thousand is one of kilobits. Nil for other texts.
    package init?(_ text: String) {
        switch text.lowercased() {
        case "best": self = .best
        case "smallest": self = .smallest
        case let text:
            let digits = text.hasSuffix("k") ? text.dropLast() : text[...]
            guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit), let number = Int(digits),
                number > 0, digits.utf8.count == text.utf8.count || number < 1_000_000
            else { return nil }
            self = .bitRate(digits.utf8.count < text.utf8.count || number < 1000 ? 1000 * number : number)
        }
    }
}

/// The media playlist to follow.
package struct VariantChoice: Hashable, Sendable {
    package var url: String
    /// The addresses of variants that are equal by what is stated, in the order of the list: backups.
    package var alternatives: [String]
    package var variant: HLSVariant
    /// The rendition that `url` leads to; nil if it leads to the variant itself.
    package var rendition: AudioRendition?
    /// Whether the audio must be taken from a stream with a picture.
    package var isMuxed: Bool { rendition == nil && variant.hasVideo }
}

extension MasterPlaylist {
    /// The variant that fits a wish best; of equal ones, the first. Nil only if there are none.
    ///
    /// Supported codecs come before others, and audio alone before audio with a picture. Of variants with a picture,
    /// the smallest is chosen, whatever the wish, because its audio is all that is kept. Where a variant names a group
    /// of renditions, the default rendition of the group is chosen, else the first.
    package func choose(_ wish: VariantWish) -> VariantChoice? {
        let choices = choices
        guard let rank = choices.map(\.rank).min() else { return nil }
        let candidates = choices.filter { $0.rank == rank }
        let wish = candidates[0].isMuxed ? .smallest : wish
        // `min` keeps the first of equal elements.
        return candidates.min { $0.distance(to: wish) < $1.distance(to: wish) }.map { adding(candidates, to: $0) }
    }

    /// The variant that was chosen before from an older version of the list; nil if it is not there any more.
    package func find(_ chosen: VariantChoice) -> VariantChoice? {
        let choices = choices
        return choices.first { $0.equals(chosen) }.map { adding(choices, to: $0) }
    }

    private var choices: [VariantChoice] {
        variants.map { variant in
            let group = audio.filter { $0.group == variant.audioGroup }
            let rendition = (group.first(where: \.isDefault) ?? group.first).flatMap { $0.url == nil ? nil : $0 }
            return VariantChoice(
                url: rendition?.url ?? variant.url, alternatives: [], variant: variant, rendition: rendition)
        }
    }

    /// Adds the addresses of equal choices.
    private func adding(_ others: [VariantChoice], to chosen: VariantChoice) -> VariantChoice {
        var chosen = chosen
        for other in others where other.url != chosen.url && other.equals(chosen) {
            if !chosen.alternatives.contains(other.url) { chosen.alternatives.append(other.url) }
        }
        return chosen
    }
}

extension VariantChoice {
    fileprivate var rank: Int { (HLSCodecs(variant.codecs).isSupported ? 0 : 2) + (isMuxed ? 1 : 0) }

    private var rate: Int { variant.averageBandwidth ?? variant.bandwidth }

    /// How far the choice is from a wish. Of two rates that are equally far, the smaller is nearer.
    fileprivate func distance(to wish: VariantWish) -> Int {
        switch wish {
        case .best: -rate
        case .smallest: rate
        case .bitRate(let wanted): 2 * abs(rate - wanted) + (rate > wanted ? 1 : 0)
        }
    }

    fileprivate func equals(_ other: VariantChoice) -> Bool {
        variant.bandwidth == other.variant.bandwidth && variant.averageBandwidth == other.variant.averageBandwidth
            && variant.codecs == other.variant.codecs && rendition?.name == other.rendition?.name
    }
}
