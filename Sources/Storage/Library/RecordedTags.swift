// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore
import RadioFormats

/// The tags with which Aircheck began a file.
struct RecordedTags: Hashable {
    var station: String?
    /// The local time in the file's name and tags, such as 2026-11-24T20:15:00.
    var date: String?

    private static let software = "Aircheck"
    /// The tag of a recording takes 2 KiB; people may have added a cover behind it.
    private static let head: Int64 = 64 << 10

    /// Nil unless the head of the segment's audio says that Aircheck wrote it.
    init?(of segment: LibrarySegment, in library: Library) {
        guard let audio = segment.audio,
            let bytes = try? library.withAudio(
                of: segment,
                { _, file throws(SystemError) in
                    try library.system.readAll(file, from: 0, to: min(audio.bytes, Self.head))
                })
        else { return nil }
        switch Container(fileExtension: audio.fileExtension) {
        case .mpeg, .adts: self.init(id3: bytes)
        case .ogg: self.init(ogg: bytes)
        case .flac, nil: return nil
        }
    }

    private init?(ogg bytes: [UInt8]) {
        var framer = OggFramer()
        bytes.withUnsafeBytes { framer.append($0) }
        while framer.next() != nil {}
        guard framer.vendor.hasPrefix(Self.software) else { return nil }
        station = framer.comments.first { $0.0 == "ALBUM" }?.1
    }

    private init?(id3 bytes: [UInt8]) {
        guard let tag = ID3v2Tag(parsing: bytes), tag.text("TSSE")?.hasPrefix(Self.software) == true else {
            return nil
        }
        (station, date) = (tag.text("TRSN"), tag.text("TDRC"))
    }

    /// The air time of the first frame; nil if it is unknown.
    func time(in zone: any TimeZoneRules) -> CivilTime? {
        guard let date, let local = CivilTime(rfc3339: date + "Z")?.instant else { return nil }
        let guess = local - .seconds(zone.utcOffset(at: local))
        return CivilTime(local - .seconds(zone.utcOffset(at: guess)), in: zone)
    }
}
