// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// Checks playlists of HTTP Live Streaming.
enum HLSChecks {
    static func complaint(about bytes: [UInt8]) -> String? {
        let cost = TextCost.hls(bytes)
        if cost > TextCost.most { return "\(cost) looks at each byte" }
        let base = "https://radio.example/live/x/list.m3u8?t=1%2F2"
        switch try? HLSPlaylist(
            bytes, base: base, imports: ["i": "{$i}", "long": String(repeating: "l", count: 3_000)])
        {
        case .media(let list): return complaint(about: list)
        case .master(let list): return complaint(about: list)
        case nil: return nil
        }
    }

    private static func complaint(about list: MediaPlaylist) -> String? {
        if !(Duration.seconds(1)...Duration.seconds(120)).contains(list.targetDuration) {
            return "a target duration of \(list.targetDuration)"
        }
        for (segment, next) in zip(list.segments, list.segments.dropFirst()) {
            if next.number != segment.number + 1 { return "\(next.number) behind \(segment.number)" }
            if next.discontinuity < segment.discontinuity { return "a discontinuity number that falls" }
        }
        for segment in list.segments {
            if !(Duration.zero...Duration.seconds(86_400)).contains(segment.duration) { return "\(segment.duration)" }
            if let complaint = complaint(about: segment) { return complaint }
        }
        for range in list.dateRanges {
            let texts = [range.id, range.category, range.start, range.end].compactMap { $0 } + range.attributes.values
            if texts.contains(where: { $0.utf8.count > 1_024 }) { return "a long text of a date range" }
            let lengths = [range.duration, range.plannedDuration].compactMap(\.self)
            if lengths.contains(where: { $0 < .zero }) { return "a negative length" }
        }
        if let complaint = complaint(aboutAdvertsIn: list) { return complaint }
        return Set(list.dateRanges.map(\.id)).count < list.dateRanges.count ? "an id twice" : nil
    }

    /// Each change is behind the one before, and there is an end to them.
    private static func complaint(aboutAdvertsIn list: MediaPlaylist) -> String? {
        var (adverts, time, changes) = (HLSAdverts(), WallInstant(nanoseconds: 1_700_000_000_000_000_000), 0)
        adverts.take(list.dateRanges)
        for segment in list.segments.suffix(1_000) {
            adverts.take(segment.cue, at: time, length: segment.duration)
            time = time + segment.duration
        }
        time = WallInstant(nanoseconds: .min)
        while let change = adverts.change(after: time) {
            (time, changes) = (change, changes + 1)
            if changes > 2 * MediaPlaylist.mostSegments { return "adverts without an end" }
        }
        return adverts.source(at: time) == nil ? nil : "an advert without an end"
    }

    private static func complaint(about segment: ListedSegment) -> String? {
        for range in [segment.range, segment.map?.range].compactMap({ $0 })
        where range.offset < 0 || range.length < 1 || range.end <= range.offset { return "a range of \(range)" }
        var urls = [segment.url, segment.map?.url].compactMap { $0 }
        for case .aes128(let url, let vector)? in [segment.key, segment.map?.key] {
            urls.append(url)
            if let vector, vector.count != 16 { return "a vector of \(vector.count) bytes" }
        }
        if let complaint = complaint(about: urls) { return complaint }
        let title = SegmentTitle(info: segment.info)
        if let text = title.text, text.isEmpty || TitleText.cleaned(text) != text { return "a title that is not clean" }
        if let artwork = title.artwork, WebAddress.checked(artwork.utf8) != artwork { return "artwork at \(artwork)" }
        return nil
    }

    private static func complaint(about list: MasterPlaylist) -> String? {
        if list.variants.isEmpty || list.variants.count > MasterPlaylist.mostVariants { return "too many variants" }
        for wish in [VariantWish.best, .smallest, .bitRate(96_000)] {
            guard let choice = list.choose(wish) else { return "no choice" }
            if choice.alternatives.contains(choice.url) { return "an alternative to itself" }
            if let complaint = complaint(about: [choice.url] + choice.alternatives) { return complaint }
        }
        return complaint(about: list.variants.map(\.url) + list.audio.compactMap(\.url))
    }

    private static func complaint(about urls: [String]) -> String? {
        for url in urls {
            if url.utf8.count > 4_096 { return "an address of \(url.utf8.count) bytes" }
            let reference = URLReference(url)
            if !reference.isWebAddress || reference.text != url { return "no address of the web: \(url)" }
        }
        return nil
    }
}
