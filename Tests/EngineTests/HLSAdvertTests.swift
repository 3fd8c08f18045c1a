// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Recorder
import TestSupport
import TestTools
import Testing

@testable import Engine

/// Adverts that the lists of a station in HLS tell of, from the station to the sidecars.
struct HLSAdvertTests {
    private static let programme = Broadcast([.music(.seconds(400))], MPEGShape(sampleRate: 48_000))

    /// A mark in the files of a recording: the places of its frames in the programme, and who says so.
    private struct Mark: Hashable {
        let places: Range<Int>
        let by: String
    }

    /// Records for two minutes a station that has been on air for a minute.
    private func marks(_ rendition: HLSRendition, faults: [HLSFault] = [], period: Duration? = nil) throws -> [Mark] {
        let rig = try EngineRig(segments: ["radio.test": HLSScript(rendition, faults: faults)])
        let epoch = rig.reactor.wallNow - .seconds(60)
        rig.record("file", of: "radio.test") { spec in
            spec.settings.writesSidecars = true
            if let period { spec.settings.policy = .period(period) }
        }
        rig.run(120)
        rig.end("file")
        rig.run(1)
        let report = try #require(rig.recording("file")).report
        var marks: [Mark] = []
        for path in report.files {
            let name = String(path.dropFirst(rig.folder.path.count + 1))
            let sidecar = try #require(Sidecar(parsing: try rig.folder.read(name.prefix { $0 != "." } + ".json")))
            let found = FrameChecker(Self.programme).check(try rig.folder.read(name))
            for mark in sidecar.stretches[.advert] {
                let frames = found.places[Int(mark.position)..<Int(mark.position + mark.frames)].compactMap(\.self)
                let (first, last) = (try #require(frames.first), try #require(frames.last))
                let aired = epoch + Self.programme.frames[first].start
                #expect(frames == Array(first...last) && (mark.at.instant - aired).magnitude < .milliseconds(50))
                #expect(abs(mark.milliseconds - Int64(frames.count) * 24) <= 1)
                marks.append(Mark(places: first..<last + 1, by: mark.by ?? "nobody"))
            }
        }
        return marks
    }

    /// The places of the frames that start in a span.
    private static func places(in span: Range<Duration>) -> Range<Int> {
        let frames = programme.frames
        return frames.count { $0.start < span.lowerBound }..<frames.count { $0.start < span.upperBound }
    }

    /// The places of the segments that begin in a span.
    private static func segments(of rendition: HLSRendition, in span: Range<Duration>) -> Range<Int> {
        let segments = rendition.cuts[0].segments.filter { span.contains($0.start) }.map(\.places)
        return (segments.first?.lowerBound ?? 0)..<(segments.last?.upperBound ?? 0)
    }

    /// Breaks that begin and end within segments, but where a frame begins. A frame plays for 24 ms.
    private static let breaks = [2931..<3500, 4200..<4333].map { frames in
        Duration.milliseconds(24 * frames.lowerBound)..<Duration.milliseconds(24 * frames.upperBound)
    }

    @Test(
        "Breaks that a list tells of are marked, to the frame", arguments: HLSAdvert.Form.allCases,
        [HLSRendition.Packaging.packed, .transportStream])
    func forms(form: HLSAdvert.Form, packaging: HLSRendition.Packaging) throws {
        var rendition = HLSRendition(Self.programme, packaging, window: 8)
        rendition.adverts = Self.breaks.map { HLSAdvert($0, form) }
        let expected = Self.breaks.map { span in
            switch form {
            case .cues, .bareCues: Mark(places: Self.segments(of: rendition, in: span), by: "cue")
            case .lengthOnly:
                Mark(
                    places: Self.segments(of: rendition, in: span).prefix(span.upperBound - span.lowerBound), by: "cue")
            case .splice, .otherSplice: Mark(places: Self.places(in: span), by: "scte35")
            case .category: Mark(places: Self.places(in: span), by: "daterange")
            }
        }
        let marks = try marks(rendition)
        #expect(marks == expected)
    }

    @Test("Spots in the titles of a list are marked, also in several files, and while segments are missing")
    func spots() throws {
        var rendition = HLSRendition(Self.programme, .packed, window: 8)
        rendition.titles = [
            (.zero, #"title="Air",artist="Bach",url="song_spot=\"M\"""#),
            (.seconds(90), #"title="Sale",artist="A Shop",url="song_spot=\"T\" spotInstanceId=\"77\"""#),
            (.seconds(100), #"title="Car",artist="A Dealer",url="song_spot=\"T\" spotInstanceId=\"78\"""#),
            (.seconds(110), #"title="So What",artist="Miles Davis",url="song_spot=\"M\"""#),
        ]
        let spots = Self.segments(of: rendition, in: .seconds(90)..<(.seconds(110)))
        let faults = [HLSFault.segments({ [90, 100, 110].contains($0.number) }, first: 2, .status(404))]
        #expect(try marks(rendition, faults: faults) == [Mark(places: spots, by: "title")])
        let parts = try marks(rendition, period: .seconds(7))
        #expect(parts.count > 2 && parts.allSatisfy { $0.by == "title" })
        #expect(parts.first?.places.lowerBound == spots.lowerBound && parts.last?.places.upperBound == spots.upperBound)
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.places.upperBound == $1.places.lowerBound })
    }

    @Test("A break that goes on when the recording ends is marked to its end")
    func open() throws {
        var rendition = HLSRendition(Self.programme, .packed, window: 8)
        rendition.adverts = [HLSAdvert(.seconds(150)..<(.seconds(400)), .bareCues)]
        let marks = try marks(rendition)
        let begin = Self.segments(of: rendition, in: .seconds(150)..<(.seconds(400))).lowerBound
        #expect(marks.map(\.places.lowerBound) == [begin] && marks[0].places.count > 24 * 40)
    }
}

extension Range<Int> {
    /// The first frames, that play for this long. A frame plays for 24 ms.
    fileprivate func prefix(_ length: Duration) -> Range<Int> {
        lowerBound..<lowerBound + Int((length.inSeconds / 0.024).rounded())
    }
}
