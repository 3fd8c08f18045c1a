// SPDX-License-Identifier: MIT

import TestSupport

/// What it takes to hear a station: time until the first sound, processor, and memory.
struct Sounding {
    let seconds: Int

    func run() throws -> [Figure] {
        var figures = try FirstSound.figures()
        figures += try PlaybackLoad(seconds: seconds).figures()
        figures += try PlaybackMemory().figures()
        figures += try LevelLoad(seconds: seconds).figures()
        figures += try FirstSound.figures(.aac(128), "AAC-LC")
        figures += try PlaybackLoad(seconds: seconds).figures(.aac(128), "AAC-LC")
        return figures
    }
}
