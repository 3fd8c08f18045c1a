// SPDX-License-Identifier: MIT

import RadioFormats

/// What a demuxer yields for an input, independent of how its audio is cut.
struct DemuxTranscript: Equatable {
    private(set) var audio: [UInt8] = []
    private(set) var containers: [Container] = []
    /// The times, the tags and the losses, each with the number of bytes of audio before it.
    private(set) var times: [Placed<MediaTime>] = []
    private(set) var tags: [Placed<[UInt8]>] = []
    private(set) var losses: [Int] = []
    private(set) var problem: DemuxProblem?

    struct Placed<Value: Equatable>: Equatable {
        var place: Int
        var value: Value
    }

    init(of pieces: [ArraySlice<UInt8>], by demuxer: some Demuxer) {
        var demuxer = demuxer
        do throws(DemuxProblem) {
            for piece in pieces { try Self.push(piece, to: &demuxer) { take($0) } }
            try demuxer.finish { take($0) }
        } catch {
            problem = error
        }
    }

    private static func push(
        _ piece: ArraySlice<UInt8>, to demuxer: inout some Demuxer, _ take: (Demuxed) -> Void
    ) throws(DemuxProblem) {
        let result = piece.withUnsafeBytes { bytes -> Result<Void, DemuxProblem> in
            do throws(DemuxProblem) {
                return .success(try demuxer.push(bytes, take))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private mutating func take(_ output: Demuxed) {
        switch output {
        case .container(let container): containers.append(container)
        case .audio(let bytes): audio += bytes
        case .time(let time): times.append(Placed(place: audio.count, value: time))
        case .tag(let bytes): tags.append(Placed(place: audio.count, value: Array(bytes)))
        case .lost: losses.append(audio.count)
        }
    }
}
