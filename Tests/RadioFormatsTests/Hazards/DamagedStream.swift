// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport

/// A stream with wrong bytes, to compare what a framer finds with what the stream contains.
struct DamagedStream {
    /// Where the frames (Ogg: pages) of the stream lie.
    let places: [Range<Int>]
    let bytes: [UInt8]
    /// The indexes of the places whose header was hit.
    let headerHits: Set<Int>
    /// The indexes of the places that were hit anywhere.
    let hits: Set<Int>

    /// Changes `count` bytes at random, every second one among the first `header` bytes of a frame. The first and last
    /// few frames stay intact, because the ends of streams are tested elsewhere.
    init(_ bytes: [UInt8], places: [Range<Int>], flips count: Int, header: Int, seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var damaged = bytes
        var headerHits: Set<Int> = []
        var hits: Set<Int> = []
        for flip in 0..<count {
            let number = Int.random(in: 5..<places.count - 5, using: &generator)
            let place = places[number]
            let isHeader = flip.isMultiple(of: 2)
            let offset = Int.random(in: isHeader ? 0..<header : header..<place.count, using: &generator)
            damaged[place.lowerBound + offset] ^= UInt8.random(in: 1...255, using: &generator)
            hits.insert(number)
            if isHeader { headerHits.insert(number) }
        }
        self.places = places
        self.bytes = damaged
        self.headerHits = headerHits
        self.hits = hits
    }

    /// The bytes in pieces of the size that is usual in transfers.
    var pieces: [ArraySlice<UInt8>] { Split.every(1400).pieces(of: bytes[...]) }

    /// Compares the events of a framer of MPEG audio or ADTS with the stream.
    func outcome(_ said: FramerTranscript) -> Outcome {
        let kept = Set(said.frames.map { Int($0.offset)..<Int($0.offset) + $0.bytes.count })
        var outcome = Outcome(
            lost: Set(places.indices.filter { !kept.contains(places[$0]) }),
            foreign: kept.subtracting(places).count, discontinuities: said.discontinuities, formats: said.formats.count,
            isAccounted: said.accounted == bytes.count)
        outcome.runs = outcome.lost.count { !outcome.lost.contains($0 - 1) }
        outcome.isCounted = said.skipped(.junk) == outcome.lost.reduce(0) { $0 + places[$1].count }
        return outcome
    }

    struct Outcome {
        /// The numbers of the stream's frames that were not found.
        var lost: Set<Int>
        /// How many frames were found that the stream does not contain.
        var foreign: Int
        var discontinuities: Int
        var formats: Int
        var isAccounted: Bool
        /// How many runs of consecutive lost frames there are.
        var runs = 0
        /// Whether the bytes of the lost frames, and no others, were skipped as junk.
        var isCounted = false
    }
}
