// SPDX-License-Identifier: MIT

package import RadioFormats

/// The formats, titles, discontinuities, splices, stretches and air times of the audio in a ring, by frame.
///
/// The timeline reaches back as far as the ring, so that a sink can start in the past. Its entries are the events that
/// sinks received, in stream order; one ``Applicable`` stands for all events older than the ring.
package struct Timeline {
    /// The format, air time and title that apply to a frame.
    package struct Applicable {
        package private(set) var format: StreamFormat?
        package private(set) var airTime: AirTime?
        package private(set) var title: StreamTitle?
        /// The stretch that goes on.
        package private(set) var stretch: Stretch?

        mutating func apply(_ event: StreamEvent) {
            switch event {
            case .format(let format, _): (self.format, airTime) = (format, nil)
            case .airTime(let map): airTime = map
            case .title(let title): self.title = title
            case .discontinuity(let discontinuity): if case .gap = discontinuity.kind { airTime = nil }
            case .hole: airTime = nil
            case .stretch(let stretch):
                let isOver = !stretch.isOpen && stretch.kind == self.stretch?.kind
                if stretch.isOpen || isOver { self.stretch = isOver ? nil : stretch }
            case .station, .splice, .found, .chunk, .ended: break
            }
        }
    }

    /// An event, and the number of the frame before which it came.
    struct Entry {
        let frame: Int64
        fileprivate(set) var event: StreamEvent
    }

    /// The first frame whose format, air time and title are known. They are not kept for earlier frames.
    package private(set) var start: Int64
    private var entries: [Entry] = []
    /// The format, air time and title at ``start``, before the first entry.
    private var before = Applicable()

    /// The number of entries.
    package var count: Int { entries.count }

    /// The limit for the number of entries: more than any healthy station produces in the minute or two that a ring
    /// holds. Beyond it, the oldest entries are forgotten.
    private static let limit = 4096

    /// Creates an empty timeline whose first frame has the number `start`.
    package init(from start: Int64 = 0) {
        self.start = start
    }

    /// Adds an event that comes before the frame at `position`. Ignores chunks, station information and the end.
    package mutating func add(_ event: StreamEvent, at position: Position) {
        switch event {
        case .station, .chunk, .ended: return
        case .airTime(let map): add(map, at: position.frames)
        case .hole(let gap, let place): addHole(gap, before: place)
        case .format, .discontinuity, .splice, .stretch, .found, .title:
            entries.append(Entry(frame: position.frames, event: event))
        }
        if entries.count > Self.limit { forget(first: entries.count - Self.limit) }
    }

    /// Keeps one air-time entry for the audio from one format or gap to the next, at the beginning of that audio: the
    /// newest map is the best one for all of it, unless a silence has put it in doubt.
    private mutating func add(_ map: AirTime, at frame: Int64) {
        let event = StreamEvent.airTime(map)
        var index = entries.count
        while index > 0 {
            switch entries[index - 1].event {
            case .airTime(let old):
                if map.isSettled || !old.isSettled { entries[index - 1].event = event }
                return
            case .format: return entries.insert(Entry(frame: entries[index - 1].frame, event: event), at: index)
            case .discontinuity(let discontinuity):
                if case .gap = discontinuity.kind {
                    return entries.insert(Entry(frame: entries[index - 1].frame, event: event), at: index)
                }
            case .hole: return entries.insert(Entry(frame: entries[index - 1].frame, event: event), at: index)
            case .station, .splice, .stretch, .found, .title, .chunk, .ended: break
            }
            index -= 1
        }
        if map.isSettled || before.airTime?.isSettled != true { before.apply(event) }
    }

    /// Adds a hole before a frame that came before the newest entries, in place of a gap there. The air times of the
    /// frames after it were those before the hole; a better map follows.
    private mutating func addHole(_ gap: Gap, before position: Position) {
        let frame = position.frames
        guard frame >= start else { return }
        entries.removeAll { entry in
            if case .airTime = entry.event { entry.frame > frame } else { false }
        }
        let index = firstIndex(from: frame)
        let hole = Entry(frame: frame, event: .hole(gap, before: position))
        for place in index..<firstIndex(from: frame + 1) {
            switch entries[place].event {
            case .hole: return entries[place] = hole
            case .discontinuity(var told):
                guard case .gap = told.kind else { continue }
                told.kind = .gap(gap)
                return entries[place].event = .discontinuity(told)
            default: continue
            }
        }
        entries.insert(hole, at: index)
    }

    /// Forgets the entries before `frame`, the oldest frame that the ring keeps. The format, air time and title of that
    /// frame stay known.
    package mutating func forget(before frame: Int64) {
        guard frame > start else { return }
        start = frame
        forget(first: firstIndex(from: frame))
    }

    /// Merges the oldest `count` entries into ``before``. From then on, no sink can start before the frame of the last
    /// of these entries.
    private mutating func forget(first count: Int) {
        guard count > 0 else { return }
        start = max(start, entries[count - 1].frame)
        for entry in entries[..<count] { before.apply(entry.event) }
        entries.removeFirst(count)
    }

    /// The format, air time and title of the frame with number `frame`, including the events right before it.
    package func applicable(at frame: Int64) -> Applicable {
        var result = before
        for entry in entries[..<firstIndex(from: frame + 1)] { result.apply(entry.event) }
        return result
    }

    /// The entries of frames with numbers greater than `frame`, in stream order.
    func entries(after frame: Int64) -> ArraySlice<Entry> {
        entries[firstIndex(from: frame + 1)...]
    }

    /// The events right before the frame with number `frame`, in stream order.
    package func events(at frame: Int64) -> [StreamEvent] {
        entries[firstIndex(from: frame)..<firstIndex(from: frame + 1)].map(\.event)
    }

    /// The first frame after `frame` that has an entry; nil if there is none.
    package func nextFrame(after frame: Int64) -> Int64? {
        entries(after: frame).first?.frame
    }

    /// The first frame after `frame` that does not follow the frame before it, because of a format or a discontinuity;
    /// nil if there is none.
    package func nextBreak(after frame: Int64) -> Int64? {
        entries(after: frame).first { entry in
            switch entry.event {
            case .format, .discontinuity: true
            case .station, .splice, .stretch, .found, .hole, .title, .airTime, .chunk, .ended: false
            }
        }?.frame
    }

    /// The title of the frame that starts at byte `byte` of the station's stream; nil if none is known.
    package func title(atByte byte: Int64) -> StreamTitle? {
        for entry in entries.reversed() {
            if case .title(let title) = entry.event, title.position.bytes <= byte { return title }
        }
        return before.title
    }

    private func firstIndex(from frame: Int64) -> Int {
        (0..<entries.count).firstByBisection { entries[$0].frame >= frame }
    }
}
