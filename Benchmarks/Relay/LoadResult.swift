// SPDX-License-Identifier: MIT

import Foundation

/// The result of a load generator. Times are in seconds; all except ``firstByte`` refer to the measured window.
struct LoadResult: Codable {
    /// The number of listeners that received audio.
    var joined = 0
    /// The number of connections that were refused, got a response without audio, or got no response.
    var refused = 0
    /// The number of listeners that the server disconnected.
    var closed = 0

    /// The times from a scheduled connect to the first byte of audio after the head.
    var firstByte = Spread()
    /// The rate at which each listener received audio, relative to the station's rate.
    var rate = Spread()
    /// The longest pause of each listener.
    var pause = Spread()

    /// The server's CPU time per second of audio delivered.
    var processorTime = 0.0
    /// The share of one core that the server used, and the share that the generator used.
    var serverLoad = 0.0
    var generatorLoad = 0.0
    /// The time that the host took from this machine, as a share of one core: while listeners joined, and in the
    /// window.
    var stolenJoining = 0.0
    var stolenMeasuring = 0.0
    /// The growth of the server's anonymous memory (`RssAnon`), in bytes per listener that joined.
    var memory = 0.0

    /// The number of frames that were compared with the programme.
    var framesChecked = 0
    /// The number of lost, repeated, foreign and misordered frames, sections of junk, and invalid metadata blocks.
    var flaws = 0
    /// The number of different titles that the sample received.
    var titles = 0
    /// A description of the first flaw.
    var remark = ""

    /// The larger of the two shares of stolen time: how much the machine, rather than the server, affected the result.
    var stolen: Double { max(stolenJoining, stolenMeasuring) }

    /// Statistics of a distribution.
    struct Spread: Codable {
        var least = Double.nan
        /// The 1st percentile; ``median`` is the 50th and ``high`` the 99th.
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

    /// The result as the generator prints it.
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
