// SPDX-License-Identifier: MIT

import CurlClient
import RadioCore
import RadioFormats

extension StationInfo {
    /// Collects a station's description from a response head.
    init(_ head: ResponseHead, url: String, settings: StationSettings) {
        let fields = head.fields.filter { $0.name.hasPrefix("icy-") || $0.name.hasPrefix("ice-") }
            .map { Field(name: $0.name, value: TitleText.repaired($0.value)) }
        func icy(_ name: String) -> String? {
            fields.first { $0.name == "icy-\(name)" && !$0.value.isEmpty }?.value
        }
        let name = StationName.choose(given: settings.name, icyName: icy("name"), url: AddressText(url).redacted)
        self.init(kind: ResponseClassifier.kind(head, settings), name: name, url: head.finalURL)
        isNamedByURL = StationName.stated(given: settings.name, icyName: icy("name")) == nil
        icyFields = fields
        genre = icy("genre")
        about = icy("description")
        homepage = icy("url")
        declaredBitRate = icy("br").flatMap { text in Int(text.prefix { $0.isNumber }) }
            .flatMap { (1...100_000).contains($0) ? $0 : nil }
        server = head["server"].map(TitleText.cleaned)
        contentType = head["content-type"].map(TitleText.cleaned)
        metadataInterval = head["icy-metaint"].flatMap(ICYDemuxer.interval(ofHeader:))
        length = head["content-length"].flatMap { Int64($0) }
    }
}
