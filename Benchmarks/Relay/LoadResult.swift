// SPDX-License-Identifier: MIT

import Foundation

/// What a load generator found. Times are in seconds, and all but the first byte's are of the measured window.
struct LoadResult: Codable {
    /// Listeners that got audio.
    var joined = 0
    /// Connections that were refused, answered with something else than audio, or left without an answer.
    var refused = 0
    /// Listeners that the server closed.
    var closed = 0

    /// From the instant at which a connect was due to the first byte of audio behind the head.
    var firstByte = Spread()
    /// What each listener received, as a share of the station's rate.
    var rate = Spread()
    /// The longest pause of each listener.
    var pause = Spread()

    /// The server's time on processors for each second of audio that it delivered.
    var processorTime = 0.0
    /// Share of one processor that the server had, and that the generator had.
    var serverLoad = 0.0
    var generatorLoad = 0.0
    /// What the host of this machine took from it, as a share of one processor: while listeners joined, and in the
    /// window.
    var stolenJoining = 0.0
    var stolenMeasuring = 0.0
    /// What the server's own memory (`RssAnon`) grew by, in bytes for each listener that got in.
    var memory = 0.0

    /// Frames that were held against the programme.
    var framesChecked = 0
    /// Frames lost, repeated or foreign, stretches of junk, and blocks of metadata that are none.
    var flaws = 0
    /// Different titles that the sample was told.
    var titles = 0
    /// The first flaw in words.
    var remark = ""

    /// The larger share of the two: how much the machine, and not the server, has shaped what was found.
    var stolen: Double { max(stolenJoining, stolenMeasuring) }

    /// Some values of a distribution.
    struct Spread: Codable {
        var least = Double.nan
        /// 1 %, 50 % and 99 % of the values are at most this.
        var low = Double.nan
        var median = Double.nan
        var high = Double.nan
        var most = Double.nan

        init() {}

        init(_ values: [Double]) {
            let sorted = values.sorted()
            guard let first = sorted.first, let last = sorted.last else { return }
            (least, most) = (first, last)
            (low, median, high) = (
                percentile(0.01, of: sorted), percentile(0.5, of: sorted), percentile(0.99, of: sorted)
            )
        }
    }

    /// What the generator prints.
    var line: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.nonConformingFloatEncodingStrategy = Self.encoding
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    init() {}

    init(line: [UInt8]) throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = Self.decoding
        self = try decoder.decode(Self.self, from: Data(line))
    }

    private static let encoding = JSONEncoder.NonConformingFloatEncodingStrategy.convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    private static let decoding = JSONDecoder.NonConformingFloatDecodingStrategy.convertFromString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
}
