// SPDX-License-Identifier: MIT

/// What a movie box says of the audio (`moov`, ISO/IEC 14496-12 §8.2): the track that is taken, and its samples.
struct MP4Index: Hashable {
    let track: Int
    let codec: MP4Codec
    /// Ticks per second of the track's times.
    let scale: Int
    /// The samples that the movie box lists; empty in a fragmented file.
    let samples: MP4SampleTable
    /// The sizes that samples of fragments have unless the fragments state others, by track.
    let defaultSizes: [Int: Int]
    /// Whether samples may also be in fragments.
    let isFragmented: Bool
    /// The part of the track that is heard, in ticks of the track, if the file states it.
    let edit: MP4Edit?
    /// Whether the movie box stands behind the audio, so that the audio cannot be read without knowing it before.
    var isBehindAudio = false
    /// The title, with the artist in front of it.
    let title: String?

    private static let mostTracks = 64

    /// Reads the content of a movie box. Takes the first audio track of a supported kind.
    init(_ movie: MP4Fields) throws(DemuxProblem) {
        var (boxes, tracks) = (movie, 0)
        var problem: DemuxProblem?
        var found: Track?
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
        (track, codec, scale, samples) = (found.number, found.codec, found.scale, found.samples)
        isFragmented = try movie.first("mvex") != nil
        defaultSizes = try Self.defaultSizes(movie)
        // Files without these are in order, too.
        edit = found.edit(movie)
        title = MP4Title.title(movie)
    }

    private struct Track {
        var number: Int
        var codec: MP4Codec
        var scale: Int
        var samples: MP4SampleTable
        var edits: MP4Fields?

        func edit(_ movie: MP4Fields) -> MP4Edit? {
            guard let edits, let scale = try? movie.first("mvhd")?.timeScale() else { return nil }
            return MP4Edit(edits, movieScale: scale, scale: self.scale)
        }
    }

    /// Reads a track; nil if it is not audio.
    private static func audio(_ fields: MP4Fields) throws(DemuxProblem) -> Track? {
        let media = try fields.needed("mdia")
        var handler = try media.needed("hdlr")
        try handler.skip(8)
        guard MP4BoxType(try handler.integer(4)) == "soun" else { return nil }
        var header = try fields.needed("tkhd")
        try header.skip(try header.versionAndFlags().version == 1 ? 16 : 8)
        let scale = try media.needed("mdhd").timeScale()
        let table = try media.needed("minf").needed("stbl")
        let codec = try MP4Codec(descriptions: table.needed("stsd"))
        return Track(
            number: try header.integer(4), codec: codec, scale: scale, samples: try MP4SampleTable(table),
            edits: try fields.first("edts")?.first("elst"))
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

extension MP4Fields {
    /// The ticks per second in the header of a movie or of a medium.
    fileprivate func timeScale() throws(DemuxProblem) -> Int {
        var fields = self
        try fields.skip(try fields.versionAndFlags().version == 1 ? 16 : 8)
        return max(1, try fields.integer(4))
    }
}
