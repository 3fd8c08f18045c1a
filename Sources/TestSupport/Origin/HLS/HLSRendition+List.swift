// SPDX-License-Identifier: MIT

package import Instants
import RadioCore

extension HLSRendition {
    /// The text of the list at a time. `epoch`: the date at which the programme starts; `query`: what is appended to
    /// the addresses of segments, sections and keys.
    package func list(at time: Duration, epoch: WallInstant, query: String = "") -> String? {
        guard let listing = listing(at: time) else { return nil }
        let (run, segments) = (runs[listing.run], cuts[listing.run].segments)
        let listed = segments[listing.segments]
        let longest = listed.map { Int($0.length.inSeconds.rounded()) }.max() ?? 1
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:\(packaging == .fragments ? 7 : 3)",
            "#EXT-X-TARGETDURATION:\(max(1, longest, Int(run.segmentLength.inSeconds.rounded())))",
            "#EXT-X-MEDIA-SEQUENCE:\(listed.first?.number ?? 0)",
        ]
        if let discontinuities = run.discontinuities {
            let gone = segments[..<listing.segments.lowerBound].indices.count { isMarked(run, segments, $0) }
            lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuities + gone)")
        }
        if packaging == .fragments { lines.append("#EXT-X-MAP:URI=\"\(prefix)\(run.name)init.mp4\(query)\"") }
        lines += adverts.flatMap { $0.tags(at: time, epoch: epoch) }
        for index in listing.segments {
            let segment = segments[index]
            lines += adverts.flatMap { $0.tags(before: segment, after: index > 0 ? segments[index - 1] : nil) }
            if let key, index == listing.segments.lowerBound { lines.append(tag(of: key, query)) }
            if isMarked(run, segments, index) { lines.append("#EXT-X-DISCONTINUITY") }
            if run.dates.presence == .each || run.dates.presence == .first && index == listing.segments.lowerBound {
                lines.append("#EXT-X-PROGRAM-DATE-TIME:\(run.dates.text(of: segment.start, epoch: epoch))")
            }
            let length = roundsLengths ? "\(Int(segment.length.inSeconds.rounded()))" : Self.decimal(segment.length)
            lines.append("#EXTINF:\(length),\(title(at: segment.start) ?? "")")
            let first = index / segmentsPerFile * segmentsPerFile
            if segmentsPerFile > 1 {
                let offset = (first..<index).reduce(0) { $0 + body(ofRun: listing.run, segment: $1).count }
                let length = body(ofRun: listing.run, segment: index).count
                lines.append("#EXT-X-BYTERANGE:\(length)@\(offset)")
            }
            lines.append(prefix + fileName(run, segments[first]) + query)
        }
        if ends, listing.segments.upperBound == segments.count { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    func title(at start: Duration) -> String? { titles.last { $0.from <= start }?.text }

    func fileName(_ run: HLSRun, _ segment: HLSSegment) -> String {
        "\(run.name)\(segment.number).\(fileExtension)"
    }

    /// The extension of segments.
    var fileExtension: String {
        switch packaging {
        case .packed: programme.container == .adts ? "aac" : "mp3"
        case .transportStream: "ts"
        case .fragments: "m4s"
        }
    }

    var contentType: String {
        switch packaging {
        case .packed: programme.contentType
        case .transportStream: "video/mp2t"
        case .fragments: "video/mp4"
        }
    }

    private func isMarked(_ run: HLSRun, _ segments: [HLSSegment], _ index: Int) -> Bool {
        index == 0 && run.isMarked || run.marksHoles && segments[index].followsHole
    }

    private func tag(of key: Key, _ query: String) -> String {
        let vector = key.vector.map { ",IV=0x" + $0.map { byte in Self.hex(byte) }.joined() } ?? ""
        return "#EXT-X-KEY:METHOD=AES-128,URI=\"\(prefix)key.bin\(query)\"\(vector)"
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    /// A duration in seconds, with six decimals.
    private static func decimal(_ length: Duration) -> String {
        let micros = (length.wholeNanoseconds + 500) / 1000
        return "\(micros / 1_000_000).\(String(String(1_000_000 + micros % 1_000_000).dropFirst()))"
    }
}

extension HLSDates {
    /// The date of an instant of the programme.
    func text(of start: Duration, epoch: WallInstant) -> String {
        let gained = Duration(nanoseconds: Int64(start.inSeconds * drift * 1e9))
        // Frames' starts are truncated to nanoseconds, which must not cost a whole millisecond here.
        let exact = (epoch + start + offset + gained + .microseconds(2)).nanoseconds
        let date = CivilTime(WallInstant(nanoseconds: exact - exact % precision.wholeNanoseconds), utcOffset: 0)
        func padded(_ value: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - String(value).count)) + String(value)
        }
        let day = "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
        let time = "\(padded(date.hour, 2)):\(padded(date.minute, 2)):\(padded(date.second, 2))"
        return "\(day)T\(time).\(padded(date.nanosecond / 1_000_000, 3))Z"
    }
}
