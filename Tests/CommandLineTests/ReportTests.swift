// SPDX-License-Identifier: MIT

import ArgumentParser
import Instants
import RadioCore
import RadioFormats
import Recorder
import Storage
import Testing
import Words

@testable import Engine
@testable import Stations
@testable import aircheck

/// The output that other programs read: JSON objects and exit statuses.
struct ReportTests {
    @Test("The report of a recording has its members in their documented order") func recordingReport() {
        var outcome = RecordingOutcome()
        (outcome.reconnects, outcome.hedges) = (3, 2)
        outcome.skipped = [.init(reason: "junk", bytes: 7), .init(reason: "id3", bytes: 5)]
        (outcome.wrongChecksums, outcome.drift) = (4, -41.26)
        (outcome.damage.places, outcome.damage.bytes) = (2, 1_234)
        let json = JSONValue.object(ReportJSON.object(outcome))
        #expect(
            Self.names(json) == [
                "files", "segments", "frames", "bytes", "seconds", "splices", "gaps", "foreign", "repeated", "titles",
                "reconnects", "hedges", "skipped_bytes", "damaged_places", "wrong_checksums",
                "clock_drift_ppm", "error",
            ])
        #expect(Self.member(json, "skipped_bytes") == .integer(12))
        #expect(Self.member(json, "damaged_places") == .integer(2))
        #expect(Self.member(json, "wrong_checksums") == .integer(4))
        #expect(Self.member(json, "reconnects") == .integer(3))
        #expect(Self.member(json, "hedges") == .integer(2))
        #expect(Self.member(json, "clock_drift_ppm") == .number(-41.3))
        #expect(Self.member(json, "error") == .null)
    }

    @Test("Damaged audio is reported in a line if there is any") func damage() {
        var damage = StreamDamage()
        #expect(Wording.line(damage) == nil)
        (damage.places, damage.bytes) = (1, 1)
        #expect(Wording.line(damage) == "1 byte of the station's audio arrived damaged, in 1 place")
        (damage.places, damage.bytes) = (33, 34_947)
        #expect(Wording.line(damage) == "34947 bytes of the station's audio arrived damaged, in 33 places")
    }

    @Test("Wrong checksums are reported in a line if there are any") func wrongChecksums() {
        #expect(Wording.line(wrongChecksums: 0) == nil)
        #expect(
            Wording.line(wrongChecksums: 1) == "1 frame came with a wrong checksum: frames are recorded unchanged")
        #expect(
            Wording.line(wrongChecksums: 23) == "23 frames came with a wrong checksum: frames are recorded unchanged"
        )
    }

    @Test("The drift of the station's clock is described in words") func clockDrift() {
        for (drift, line) in [
            (300.04, "the station's clock is faster than this machine's by 300 ppm, 25 s a day"),
            (-12.2, "the station's clock is slower than this machine's by 12 ppm, 1.0 s a day"),
            (0.2, "the station's clock runs as fast as this machine's"),
        ] {
            #expect(Wording.line(drift: drift) == line)
        }
    }

    @Test("An error has a class, a message and a remedy") func error() {
        let failure = Failure(.notFound, "404 for http://a.example/", remedy: "check the address")
        let json = ReportJSON.error(failure)
        #expect(Self.names(json) == ["class", "message", "remedy"])
        #expect(Self.member(json, "class") == .string("not-found"))
    }

    @Test("The report of a probe has all its members, even if nothing is known") func emptyProbe() {
        let json = ProbeReport.json(ProbeResult(failure: nil), address: "http://nova.example/")
        #expect(
            Self.names(json) == [
                "url", "name", "server", "content_type", "kind", "codec", "format", "mpeg_version", "layer",
                "sample_rate", "channels", "bit_rate", "bit_rate_mode", "declared_bit_rate", "title", "burst",
                "metadata_interval", "playlists", "icy", "hls", "behind_seconds", "error",
            ])
        #expect(Self.member(json, "codec") == .null)
    }

    @Test("The rate of HE-AAC is the one that players play, in lines and in JSON") func probedRate() {
        var result = ProbeResult(failure: nil)
        var format = StreamFormat(codec: .aac, sampleRate: 22_050, channels: 2)
        format.sbr = .present
        result.format = format
        let json = ProbeReport.json(result, address: "http://nova.example/")
        #expect(ProbeReport.lines(result).contains("sample rate  44100 Hz"))
        #expect(Self.member(json, "sample_rate") == .integer(44_100))
    }

    @Test("The lines of a probe are aligned") func probeLines() {
        var info = StationInfo(
            kind: .live, name: "Nova", url: "http://nova.example/live",
            icyFields: [.init(name: "icy-br", value: "128")])
        info.server = "Icecast 2.4.4"
        info.declaredBitRate = 128
        let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 2)
        var result = ProbeResult(failure: nil)
        (result.info, result.format, result.bitsPerSecond, result.bitRateMode) = (info, format, 127_960, "CBR")
        (result.title, result.burst, result.seen) = ("A\u{1B}[2J song", .milliseconds(4_096), .seconds(7))
        result.playlists = ["http://nova.example/a.pls"]
        let lines = ProbeReport.lines(result)
        #expect(lines.contains("station      Nova"))
        #expect(lines.contains("playlist     http://nova.example/a.pls"))
        #expect(lines.contains("codec        MPEG-1 layer III (mp3)"))
        #expect(lines.contains("bit rate     128.0 kbit/s CBR measured over 7.0 s, the station says 128"))
        #expect(lines.contains("channels     2 (stereo)"))
        #expect(lines.contains("title        A[2J song"))
        #expect(lines.contains("burst        4.1 s of audio at once on connect"))
        #expect(lines.contains("icy-br       128"))
    }

    @Test("The probe of a station in HLS has its list, variants and segments") func probedSegments() throws {
        let (master, list) = (
            """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=96000,CODECS="mp4a.40.5"
            a.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=52000
            b.m3u8
            """,
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-PROGRAM-DATE-TIME:2026-11-30T20:00:00Z
            #EXT-X-KEY:METHOD=AES-128,URI="key"
            #EXTINF:6.4,
            1.ts
            #EXTINF:6.4,
            2.ts
            """
        )
        let url = "http://nova.example/a.m3u8"
        guard case .master(let master) = try HLSPlaylist(Array(master.utf8), base: url),
            case .media(let list) = try HLSPlaylist(Array(list.utf8), base: url)
        else { throw Failure(.protocol, "no lists", remedy: "") }
        var place = HLSPlace(url: url, allowsPrivateAddress: false)
        (place.variants, place.choice) = (master.variants, master.choose(.best))
        var result = ProbeResult(failure: nil)
        (result.segments, result.behind) = (SegmentFacts(list, place, .transportStream), .seconds(31))
        #expect(
            ProbeReport.lines(result) == [
                "HLS list     http://nova.example/a.m3u8",
                "variants     96 kbit/s (taken), 52 kbit/s",
                "segments     MPEG transport stream, up to 6.0 s each, with dates, encrypted (AES-128)",
                "window       12 s of audio in the list", "behind       31 s behind the air",
            ])
        let facts = try #require(Self.member(ProbeReport.json(result, address: url), "hls"))
        #expect(facts["container"]?.stringValue == "mpeg-ts" && facts["window_seconds"]?.doubleValue == 12.8)
        #expect(facts["variant_bit_rate"] == .integer(96_000) && facts["variants"].list.count == 2)
    }

    @Test("Each notice is one line") func notices() {
        let failure = Failure(.refused, "a.example refuses", remedy: "try later")
        #expect(
            Wording.line(.failed(failure, retryIn: .zero)) == "a.example refuses: try later [refused]; trying again")
        #expect(
            Wording.line(.failed(failure, retryIn: .milliseconds(1_250)))
                == "a.example refuses: try later [refused]; trying again in 1.2 s")
        #expect(
            Wording.line(.failed(failure, retryIn: .seconds(300)))
                == "a.example refuses: try later [refused]; trying again in 5 min")
        let drop = Failure(.dropped, "the server closed the connection", remedy: "nothing to do")
        #expect(
            Wording.line(.failed(drop, retryIn: .zero)) == "the server closed the connection [dropped]; trying again")
        #expect(Wording.line(.connecting(url: "http://a.example/", attempt: 1)) == "connecting to http://a.example/")
        #expect(
            Wording.line(.connecting(url: "http://a.example/", attempt: 2))
                == "connecting to http://a.example/, attempt 2")
        #expect(Wording.line(.live(again: false)) == nil)
        let at = WallInstant(nanoseconds: 0)
        var splice = Splice(position: Position(), at: at, droppedFrames: 9, method: .match)
        #expect(
            Wording.line(.spliced(splice), now: at + .milliseconds(1_250)) == "joined again after 1.2 s, nothing lost")
        splice.unheardFrames = 575
        #expect(
            Wording.line(.spliced(splice), now: at + .milliseconds(1_250))
                == "joined again after 1.2 s, nothing lost; 575 frames of other audio left out before it")
        var gap = Gap(at: at, length: .seconds(20), cause: "the server closed the connection")
        #expect(Wording.line(.gap(gap)) == "20 s of the programme are missing: the server closed the connection")
        gap.length = .milliseconds(99)
        #expect(Wording.line(.gap(gap))?.hasPrefix("less than 0.1 s of the programme is missing, if any") == true)
        let stretch = Stretch(.foreign, frames: 0..<0, at: at, length: .seconds(20))
        #expect(
            Wording.line(.stretch(stretch))
                == "the last 20 s were not part of the programme (perhaps an advert)")
        #expect(
            Wording.line(.stretch(Stretch(.repeated, frames: 0..<9, at: at, length: .seconds(7))))
                == "the last 7.0 s had been sent before: the station repeats them")
        #expect(
            Wording.line(.followedPlaylist(url: "http://a.example/x.pls", entries: 1, leftOut: 0, ignoredOptions: []))
                == "http://a.example/x.pls is a playlist with 1 address")
        #expect(
            Wording.line(.followedPlaylist(url: "http://a.example/", entries: 100, leftOut: 50, ignoredOptions: []))
                == "http://a.example/ is a playlist with 100 addresses, and 50 more that are not used")
    }

    @Test("The line of a gap says what is missing and what is doubled") func gapLine() {
        var gap = Gap(at: WallInstant(nanoseconds: 0), length: .zero, cause: "silence")
        #expect(Wording.line(.gap(gap)) == "nothing is missing: silence")
        gap.overlap = .milliseconds(3_900)
        #expect(
            Wording.line(.gap(gap))
                == "audio may be missing here, or recorded twice (3.9 s, according to the clock): silence")
        gap.overlap = .zero
        gap.length = .milliseconds(40)
        #expect(Wording.line(.gap(gap)) == "less than 0.1 s of the programme is missing, if any: silence")
        gap.length = nil
        gap.repeats = .seconds(30)
        #expect(
            Wording.line(.gap(gap))
                == "audio may be missing here: silence; the station continues with audio that it sent 30 s ago")
    }

    private static func names(_ json: JSONValue) -> [String] {
        guard case .object(let object) = json else { return [] }
        return object.members.map(\.name)
    }

    private static func member(_ json: JSONValue, _ name: String) -> JSONValue? {
        guard case .object(let object) = json else { return nil }
        return object[name]
    }
}

extension Wording {
    /// The line of a notice.
    fileprivate static func line(_ notice: StationNotice, now: WallInstant = WallInstant(nanoseconds: 0)) -> String? {
        occurrence(notice, of: .program, in: .init(now: now))?.sentence
    }
}
