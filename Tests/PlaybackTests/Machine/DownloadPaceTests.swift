// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

@testable import Playback

@Suite("How much of a download has to be there")
struct DownloadPaceTests {
    private func pace(rate: Double, for seconds: Int, held: ClosedRange<Int>? = nil) -> DownloadPace {
        var pace = DownloadPace()
        var media = 0.0
        for step in 0...(seconds * 10) {
            let now = MonotonicInstant(nanoseconds: Int64(step) * 100_000_000)
            if let held, held.contains(step / 10) {
                pace.heldBack()
                continue
            }
            media += rate / 10
            pace.arrived(.nanoseconds(Int64(media * 1e9)), at: now)
        }
        return pace
    }

    @Test("The download rate is measured")
    func rate() throws {
        for rate in [0.2, 0.5, 1, 3, 50] {
            let measured = try #require(pace(rate: rate, for: 8).rate)
            #expect(abs(measured - rate) < rate * 0.05, "\(measured) for \(rate)")
        }
        #expect(pace(rate: 1, for: 0).rate == nil)
    }

    @Test("Time in which a download was held back does not count towards its rate")
    func held() throws {
        let measured = try #require(pace(rate: 4, for: 20, held: 5...15).rate)
        #expect(measured > 3.9)
    }

    @Test("A download faster than playback needs no buffered audio")
    func fast() {
        #expect(pace(rate: 2, for: 5).needed(rest: .seconds(3_600)) == .zero)
        #expect(pace(rate: 0.5, for: 5).needed(rest: nil) == .zero)
    }

    @Test("Until the rate is measured, a few seconds are needed, as a slow server may begin with a burst")
    func unmeasured() {
        #expect(DownloadPace().needed(rest: .seconds(60)) == .seconds(3))
        #expect(DownloadPace().needed(rest: nil) == .zero)
    }

    @Test(
        "Playback that begins with the needed audio does not run out before the download ends",
        arguments: [0.3, 0.5, 0.8, 0.95, 1.05])
    func slow(rate: Double) {
        let rest = 30.0
        let needed = pace(rate: rate, for: 5).needed(rest: .seconds(30)).inSeconds
        // The download takes rest / rate seconds, and as many seconds of audio are played meanwhile.
        #expect(needed + rest >= min(rest / rate, rest + 20 * rate) - 0.01)
    }

    @Test("Audio that arrives in lumps does not run out between two lumps", arguments: [0.3, 0.6, 0.9], [0.5, 1, 2])
    func lumps(rate: Double, pause: Double) {
        var pace = DownloadPace()
        for number in 0...5 {
            let (media, now) = (Double(number + 1) * rate * pause, Double(number) * pause)
            pace.arrived(.nanoseconds(Int64(media * 1e9)), at: MonotonicInstant(nanoseconds: Int64(now * 1e9)))
        }
        let lumps = 12
        let needed = pace.needed(rest: .nanoseconds(Int64(Double(lumps) * rate * pause * 1e9))).inSeconds
        // The audio before the last lump must play until that lump arrives.
        let least = min(Double(lumps) * pause, 20 * rate + Double(lumps - 1) * rate * pause)
        #expect(needed + Double(lumps - 1) * rate * pause >= least - 0.01)
    }

    @Test("An early lump does not make a slow server count as fast", arguments: 1...6)
    func early(place: Int) {
        // The audio plays at 16 kB/s, but nginx sends 11 kB each second, and 22 kB once.
        let (lump, total) = (11.0 / 16, 8.0)
        var (pace, media, began) = (DownloadPace(), lump, Double?.none)
        for second in 0...12 {
            if second > 0 { media = min(total, media + lump * (second == place ? 2 : 1)) }
            pace.arrived(
                .nanoseconds(Int64(media * 1e9)), at: MonotonicInstant(nanoseconds: Int64(second) * 1_000_000_000))
            let needed = pace.needed(rest: .nanoseconds(Int64((total - media) * 1e9))).inSeconds
            if began == nil, media >= needed { began = Double(second) }
            // All audio that is played before the next lump has already arrived.
            if let began, media < total { #expect(Double(second) + 1 - began <= media, "at \(second) s") }
        }
        #expect(began ?? 12 <= 6)
    }

    @Test("The audio needed before playback has an upper bound")
    func bounded() {
        #expect(pace(rate: 0.1, for: 9).needed(rest: .seconds(86_400)) <= .milliseconds(6_500))
    }
}
