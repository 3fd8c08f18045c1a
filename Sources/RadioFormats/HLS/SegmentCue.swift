// SPDX-License-Identifier: MIT

/// What a tag before a segment says about a break for adverts. No standard has these tags.
package enum SegmentCue: Hashable, Sendable {
    /// A break begins with the segment (EXT-X-CUE-OUT). Its length, if it is stated.
    case out(Duration?)
    /// A break goes on in the segment (EXT-X-CUE-OUT-CONT). What is left of it, if that is stated.
    case goesOn(Duration?)
    /// No break goes on (EXT-X-CUE-IN).
    case end

    /// Nil if the tag is none of them.
    init?(tag: String, _ value: some IndexedBytes) {
        switch tag {
        case "EXT-X-CUE-OUT": self = .out(Self.length(value))
        case "EXT-X-CUE-OUT-CONT":
            let (elapsed, length) = Self.progress(value)
            self = .goesOn(length.map { max(.zero, $0 - (elapsed ?? .zero)) })
        case "EXT-X-CUE-IN": self = .end
        case "EXT-OATCLS-SCTE35":
            guard let command = SpliceCommand(text: value) else { return nil }
            self = command == .begins ? .out(nil) : .end
        default: return nil
        }
    }

    /// `30` or `DURATION=30`.
    private static func length(_ value: some IndexedBytes) -> Duration? {
        let length = number(String(decoding: value, as: UTF8.self)) ?? named("duration", in: HLSAttributes(value))
        return length == .zero ? nil : length
    }

    /// `10/30` or `ElapsedTime=10,Duration=30`.
    private static func progress(_ value: some IndexedBytes) -> (elapsed: Duration?, length: Duration?) {
        if let slash = value.firstIndex(of: UInt8(ascii: "/")) {
            let parts = [value[..<slash], value[slash...].dropFirst()].map { String(decoding: $0, as: UTF8.self) }
            if let elapsed = number(parts[0]), let length = number(parts[1]) { return (elapsed, length) }
        }
        let attributes = HLSAttributes(value)
        return (named("elapsedtime", in: attributes), named("duration", in: attributes))
    }

    private static func named(_ name: String, in attributes: HLSAttributes) -> Duration? {
        attributes.pairs.first { $0.name.lowercased() == name }.flatMap { number($0.value) }
    }

    private static func number(_ text: String) -> Duration? { HLSNumber.seconds(text) }
}
