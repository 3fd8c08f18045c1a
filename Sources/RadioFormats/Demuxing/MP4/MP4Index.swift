// SPDX-License-Identifier: MIT

/// What a movie box says of the audio (`moov`, ISO/IEC 14496-12 §8.2): the track that is taken, and its samples.
struct MP4Index {
    let track: Int
    let codec: MP4Codec
    /// Ticks per second of the track's times.
    let scale: Int
    /// The samples that the movie box lists; empty in a fragmented file.
    let samples: MP4SampleTable
    /// The sizes that samples of fragments have unless the fragments state others, by track.
    let defaultSizes: [Int: Int]

    private static let mostTracks = 64

    /// Reads the content of a movie box. Takes the first audio track of a supported kind.
    init(_ movie: MP4Fields) throws(DemuxProblem) {
        var (boxes, tracks) = (movie, 0)
        var problem: DemuxProblem?
        var found: (track: Int, codec: MP4Codec, scale: Int, samples: MP4SampleTable)?
        while found == nil, let box = try boxes.box() {
            guard box.type == "trak" else { continue }
            tracks += 1
            guard tracks <= Self.mostTracks else { throw .malformed("it has too many tracks") }
            do throws(DemuxProblem) {
                found = try Self.audio(box.fields)
            } catch {
                problem = problem ?? error
            }
        }
        guard let found else { throw problem ?? .noAudio }
        (track, codec, scale, samples) = found
        defaultSizes = try Self.defaultSizes(movie)
    }

    /// Reads a track; nil if it is not audio.
    private static func audio(
        _ fields: MP4Fields
    ) throws(DemuxProblem) -> (track: Int, codec: MP4Codec, scale: Int, samples: MP4SampleTable)? {
        let media = try fields.needed("mdia")
        var handler = try media.needed("hdlr")
        try handler.skip(8)
        guard MP4BoxType(try handler.integer(4)) == "soun" else { return nil }
        var header = try fields.needed("tkhd")
        try header.skip(try header.versionAndFlags().version == 1 ? 16 : 8)
        var times = try media.needed("mdhd")
        try times.skip(try times.versionAndFlags().version == 1 ? 16 : 8)
        let table = try media.needed("minf").needed("stbl")
        let codec = try MP4Codec(descriptions: table.needed("stsd"))
        return (try header.integer(4), codec, try times.integer(4), try MP4SampleTable(table))
    }

    private static func defaultSizes(_ movie: MP4Fields) throws(DemuxProblem) -> [Int: Int] {
        var sizes: [Int: Int] = [:]
        guard var boxes = try movie.first("mvex") else { return sizes }
        while var box = try boxes.box() {
            guard box.type == "trex" else { continue }
            try box.fields.skip(4)
            let track = try box.fields.integer(4)
            try box.fields.skip(8)
            sizes[track] = try box.fields.integer(4)
        }
        return sizes
    }
}
