// SPDX-License-Identifier: MIT

import TestSupport

/// Measures playback of a station: time to the first sound, CPU time and memory.
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
