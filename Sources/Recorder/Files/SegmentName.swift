// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Storage

extension RecorderSettings {
    /// The specification of the file of a planned segment. It has the folders and the name; the header and the sidecar
    /// are still empty.
    func fileSpec(for plan: SegmentPlan, station: String) -> SegmentFileSpec {
        let fileExtension = plan.format.fileType.fileExtension
        var parts = template.forFiles(withExtension: fileExtension)
            .render(NameValues(station: station, show: show?.name, plan: plan, zone: zone))
            .split(separator: "/").map(String.init)
        let last = parts.popLast() ?? "untitled"
        var spec = SegmentFileSpec(folders: parts, name: last, fileExtension: fileExtension)
        spec.isMarked = policy == .title && name == nil
        return spec
    }

    /// The name of the station in file names and sidecars: the user's, unless another station stands in.
    func stationName(of plan: SegmentPlan) -> String {
        (plan.standsIn ? plan.station : station ?? plan.station) ?? "station"
    }

    /// The time in the name of the segment's file. A show's recording begins with the frame that contains the start of
    /// the show, but its file is named after that start.
    func nameTime(of plan: SegmentPlan) -> WallInstant {
        guard let start = show?.from.instant, plan.airTime < start, start - plan.airTime < Self.longestFrame else {
            return plan.nameTime
        }
        return start
    }

    /// Longer than a frame of any format.
    private static var longestFrame: Duration { .milliseconds(500) }

    /// The ID3 tag for the segment; nil for pure files.
    func tag(for plan: SegmentPlan, station: String, fileName: String) -> ID3v2Tag? {
        guard !isPure else { return nil }
        let time = CivilTime(plan.nameTime, in: zone)
        // The frame with the name of the writing program comes first, because only the first frames are kept if room is
        // short.
        var frames = [ID3v2Frame.text(id: "TSSE", software)]
        frames += comments(for: plan, station: station, fileName: fileName).compactMap { field in
            Self.tagNames[field.name].map { .text(id: $0, field.value) }
        }
        frames.append(.text(id: "TRSN", station))
        frames.append(.text(id: "TDRC", String(time.rfc3339.prefix(19))))
        return ID3v2Tag(frames: frames)
    }

    /// The comments for the header of an Ogg file.
    func comments(for plan: SegmentPlan, station: String, fileName: String) -> [(name: String, value: String)] {
        let isSong = policy == .title && !(plan.title ?? "").isEmpty
        let song = SplitTitle(isSong ? plan.title ?? "" : "")
        return [
            ("TITLE", isSong ? song.title : PathText.shown(fileName)),
            ("ARTIST", isSong ? song.artist ?? station : station),
            ("ALBUM", station),
        ]
    }

    /// Maps Ogg comments to their ID3 frames.
    private static let tagNames = ["TITLE": "TIT2", "ARTIST": "TPE1", "ALBUM": "TALB"]
}

extension SegmentPlan {
    /// Moves the start of the segment, because the frames before `position` were lost.
    mutating func move(to position: Position) {
        move(by: .samples(position.samples - self.position.samples, at: format.sampleRate))
        self.position = position
    }

    /// Moves the start of the segment by a gap of the station behind frames that were lost.
    mutating func move(over entry: SegmentEntry) {
        guard case .discontinuity(let discontinuity) = entry, case .gap(let gap) = discontinuity.kind,
            discontinuity.position.frames > position.frames
        else { return }
        move(by: max(.zero, gap.length ?? .zero))
    }

    private mutating func move(by duration: Duration) {
        airTime = airTime + duration
        nameTime = nameTime + duration
    }
}

/// The path of a file seen from the folder of another file; `name` and `folders` are relative to the recordings folder.
func relativeName(of name: String?, from folders: [String]) -> String? {
    guard let name else { return nil }
    var parts = name.split(separator: "/")[...]
    var rest = folders[...]
    while parts.count > 1, let folder = rest.first, parts.first == Substring(folder) {
        parts.removeFirst()
        rest.removeFirst()
    }
    return (rest.map { _ in ".." } + parts).joined(separator: "/")
}
