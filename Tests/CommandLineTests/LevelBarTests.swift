// SPDX-License-Identifier: MIT

import Testing

@testable import RadioCore
@testable import aircheck

/// The bars of the level meter.
struct LevelBarTests {
    @Test(
        "A bar is filled up to the mean, and marks the peak",
        arguments: [
            (rms: 0, peak: 0, bar: "········"), (rms: 0.004, peak: 0.004, bar: "▮·······"),
            (rms: 0.1, peak: 0.1, bar: "▮▮▮▮▮···"), (rms: 0.1, peak: 0.3, bar: "▮▮▮▮▮·|·"),
            (rms: 0.1, peak: 0.2, bar: "▮▮▮▮▮|··"), (rms: 0, peak: 1, bar: "·······|"),
            (rms: 1, peak: 1, bar: "▮▮▮▮▮▮▮▮"), (rms: 3, peak: 9, bar: "▮▮▮▮▮▮▮▮"),
            (rms: 0.5, peak: 0.1, bar: "▮▮▮▮▮▮▮·"),
        ] as [(rms: Float, peak: Float, bar: String)])
    func bars(rms: Float, peak: Float, bar: String) {
        let channel = Loudness.Channel(rms: rms, peak: peak)
        #expect(LevelBar.render(Loudness(channels: [channel])) == bar)
        #expect(LevelBar.render(Loudness(channels: [channel, channel, channel])) == "\(bar) \(bar)")
    }
}
