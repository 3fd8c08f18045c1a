// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

/// Lists of the shapes that radio stations send, written for these tests.
struct HLSStationTests {
    @Test("A list with numbers from the clock, one date and remarks instead of titles (BBC)")
    func numbersFromTheClock() throws {
        let list = try HLSText.media(
            """
            #EXTM3U
            #EXT-X-VERSION:3
            ## Created with a packager  (version=1.2.3)
            #EXT-X-MEDIA-SEQUENCE:278793294
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-TARGETDURATION:6
            #USP-X-TIMESTAMP-MAP:MPEGTS=4700405152,LOCAL=2026-07-17T08:31:15.200000Z
            #EXT-X-PROGRAM-DATE-TIME:2026-07-17T08:31:15.200000Z
            #EXTINF:6.4, no desc
            radio-audio=96000-278793294.ts
            #EXTINF:6.4, no desc
            radio-audio=96000-278793295.ts
            #EXTINF:6.4, no desc
            radio-audio=96000-278793296.ts
            """, base: "https://edge.example/pool/live/radio.isml/radio-audio=96000.norewind.m3u8?token=a/b")
        #expect(list.targetDuration == .seconds(6) && list.mediaSequence == 278_793_294 && !list.isEnded)
        #expect(list.segments.map(\.number) == [278_793_294, 278_793_295, 278_793_296])
        #expect(list.segments.map(\.duration) == [.milliseconds(6400), .milliseconds(6400), .milliseconds(6400)])
        #expect(list.segments.map(\.date) == ["2026-07-17T08:31:15.200000Z", nil, nil])
        #expect(list.segments[2].url == "https://edge.example/pool/live/radio.isml/radio-audio=96000-278793296.ts")
        #expect(list.segments.allSatisfy { $0.info == "no desc" && SegmentTitle(info: $0.info).text == nil })
    }

    @Test("A list with absolute paths, a query and a date for each segment (Radio France)")
    func datesEverywhere() throws {
        let list = try HLSText.media(
            """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-MEDIA-SEQUENCE:980291
            #EXT-X-TARGETDURATION:4
            #EXT-X-START:TIME-OFFSET=0
            #EXT-X-PROGRAM-DATE-TIME:2025-03-31T09:48:41Z
            #EXTINF:4.000,
            /accs3/radio/prod1/radio_aac_hifi_4_980291_1743414521.ts?id=radio
            #EXT-X-PROGRAM-DATE-TIME:2025-03-31T09:48:45Z
            #EXTINF:4.000,
            /accs3/radio/prod1/radio_aac_hifi_4_980292_1743414525.ts?id=radio
            """, base: "https://stream.example/radio/radio_hifi.m3u8?id=radio:")
        #expect(list.segments.map(\.date) == ["2025-03-31T09:48:41Z", "2025-03-31T09:48:45Z"])
        #expect(
            list.segments[1].url
                == "https://stream.example/accs3/radio/prod1/radio_aac_hifi_4_980292_1743414525.ts?id=radio")
        #expect(list.segments.allSatisfy { $0.info == nil && $0.duration == .seconds(4) })
    }

    @Test("A list with titles, artists and spots, whose segments have another host (iHeart)")
    func titlesAndSpots() throws {
        let list = try HLSText.media(
            #"""
            #EXTM3U
            #EXT-X-TARGETDURATION:10
            #EXT-X-MEDIA-SEQUENCE:100
            #EXT-X-DISCONTINUITY
            #EXTINF:10,title="Flowers",artist="Ann, Bob",url="song_spot=\"M\" spotInstanceId=\"-1\" length=\"00:03:20\" amgArtworkURL=\"https://i.example/track/1?ops=fit(400,400)\" "
            https://segments.example/zc1/main/100.aac
            #EXTINF:10,title="Half Price",artist="A Shop",url="song_spot=\"T\" spotInstanceId=\"46787245\" cartcutId=\"8003384001\" amgArtworkURL=\"null\" length=\"00:00:30\""
            https://segments.example/zc1/main/101.aac
            #EXTINF:10,
            https://segments.example/zc1/main/102.aac
            """#)
        #expect(list.segments.map(\.isDiscontinuous) == [true, false, false])
        #expect(list.segments.map(\.discontinuity) == [1, 1, 1])
        let titles = list.segments.map { SegmentTitle(info: $0.info) }
        #expect(titles.map(\.text) == ["Ann, Bob - Flowers", "Advert: A Shop - Half Price", nil])
        #expect(titles.map(\.isAdvert) == [false, true, false])
        #expect(titles.map(\.artwork) == ["https://i.example/track/1?ops=fit(400,400)", nil, nil])
    }
}
