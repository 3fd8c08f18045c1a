// SPDX-License-Identifier: MIT

package import RadioFormats

/// What applies where in the audio of a ring: formats, titles, discontinuities, splices, stretches and air times. A
/// value.
///
/// It is kept for as long as the ring keeps the audio, so that a sink can begin in the past. Entries are the events
/// that sinks heard, in stream order; what is older than the ring is summed up in one ``Applicable``.
package struct Timeline {
    /// What applies to a frame.
    package struct Applicable {
        package private(set) var format: StreamFormat?
        package private(set) var airTime: AirTime?
        package private(set) var title: StreamTitle?

        mutating func apply(_ event: StreamEvent) {
            switch event {
            case .format(let format, _): (self.format, airTime) = (format, nil)
            case .airTime(let map): airTime = map
            case .title(let title): self.title = title
            case .discontinuity(let discontinuity): if case .gap = discontinuity.kind { airTime = nil }
            case .station, .splice, .stretch, .chunk, .ended: break
            }
        }
    }

    /// An event, and the frame before which it was told.
    struct Entry {
        let frame: Int64
        fileprivate(set) var event: StreamEvent
    }

    /// From this frame on everything is known; what applies to earlier ones is not.
    package private(set) var start: Int64
    private var entries: [Entry] = []
    /// What applies at ``start``, before the first entry.
    private var before = Applicable()

    /// How many entries there are.
    package var count: Int { entries.count }

    /// More than any healthy station brings in the minute or two that a ring holds. Of more, the oldest are forgotten.
    private static let limit = 4096

    /// A timeline without entries, whose first frame has this number.
    package init(from start: Int64 = 0) {
        self.start = start
    }

    /// Enters an event that is told before the frame at `position`. Chunks, and what a station says of itself, have no
    /// place here.
    package mutating func add(_ event: StreamEvent, at position: Position) {
        switch event {
        case .station, .chunk, .ended: return
        case .airTime: addAirTime(event, at: position.frames)
        case .format, .discontinuity, .splice, .stretch, .title:
            entries.append(Entry(frame: position.frames, event: event))
        }
        if entries.count > Self.limit { forget(first: entries.count - Self.limit) }
    }

    /// The newest map is the best one for all audio since the format or the gap with which it began, so there is one
    /// entry for each such stretch, at its beginning.
    private mutating func addAirTime(_ event: StreamEvent, at frame: Int64) {
        var index = entries.count
        while index > 0 {
            switch entries[index - 1].event {
            case .airTime:
                entries[index - 1].event = event
                return
            case .format: return entries.insert(Entry(frame: entries[index - 1].frame, event: event), at: index)
            case .discontinuity(let discontinuity):
                if case .gap = discontinuity.kind {
                    return entries.insert(Entry(frame: entries[index - 1].frame, event: event), at: index)
                }
            case .station, .splice, .stretch, .title, .chunk, .ended: break
            }
            index -= 1
        }
        before.apply(event)
    }

    /// Forgets what was told before this frame, which is the oldest that the ring keeps. What applies to it stays.
    package mutating func forget(before frame: Int64) {
        guard frame > start else { return }
        start = frame
        forget(first: firstIndex(from: frame))
    }

    /// Sums up the oldest entries. Frames before the last of them can be begun with no more.
    private mutating func forget(first count: Int) {
        guard count > 0 else { return }
        start = max(start, entries[count - 1].frame)
        for entry in entries[..<count] { before.apply(entry.event) }
        entries.removeFirst(count)
    }

    /// What applies to the frame with this number, as told up to and including it.
    package func applicable(at frame: Int64) -> Applicable {
        var result = before
        for entry in entries[..<firstIndex(from: frame + 1)] { result.apply(entry.event) }
        return result
    }

    /// What is told before frames with greater numbers than this one, in stream order.
    func entries(after frame: Int64) -> ArraySlice<Entry> {
        entries[firstIndex(from: frame + 1)...]
    }

    /// What was told right before the frame with this number, in stream order.
    package func events(at frame: Int64) -> [StreamEvent] {
        entries[firstIndex(from: frame)..<firstIndex(from: frame + 1)].map(\.event)
    }

    /// The first frame with a greater number than this one before which something was told; nil where there is none.
    package func nextFrame(after frame: Int64) -> Int64? {
        entries(after: frame).first?.frame
    }

    /// The first frame with a greater number than this one that does not follow from the frame before it, because of a
    /// format or a discontinuity; nil where there is none.
    package func nextBreak(after frame: Int64) -> Int64? {
        entries(after: frame).first { entry in
            switch entry.event {
            case .format, .discontinuity: true
            case .station, .splice, .stretch, .title, .airTime, .chunk, .ended: false
            }
        }?.frame
    }

    /// The title of the frame that starts at this byte of the station; nil where none is known.
    package func title(atByte byte: Int64) -> StreamTitle? {
        for entry in entries.reversed() {
            if case .title(let title) = entry.event, title.position.bytes <= byte { return title }
        }
        return before.title
    }

    private func firstIndex(from frame: Int64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].frame < frame { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
