// SPDX-License-Identifier: MIT

/// Finds the offset of a sample in a file.
///
/// A stepper: read what ``next()`` requests and pass it to ``take(_:)``, until ``place`` is set. Usually a few reads of
/// at most 128 KiB are enough. There are never more than 48 reads, even of a hostile file.
package struct SeekEstimate {
    private enum Way {
        case bisection(SeekBisection)
        case frames(FrameSeek)
        case found(SeekPlace)
    }

    private let facts: AudioFileFacts
    private var way: Way

    private static let chunk = 128 << 10

    /// Seeks the frame or page that contains `sample`, or an earlier frame or page. `sample` counts from the first
    /// audible sample. Seeks to the start if the file's positions are unusable.
    package init(_ facts: AudioFileFacts, to sample: Int64) {
        self.facts = facts
        let most = facts.samples ?? .max
        let target = min(max(0, sample), most)
        if let index = facts.index {
            way = .found(index.place(of: target))
            return
        }
        if let pcm = facts.pcm {
            way = .found(pcm.place(of: target))
            return
        }
        switch facts.container {
        case .mpeg, .adts:
            way = .frames(FrameSeek(facts, to: target))
        case .ogg, .flac:
            let lead = -Int64(facts.preSkip)
            guard target > 0, !facts.isChained, let end = facts.audioEnd ?? facts.size else {
                way = .found(SeekPlace(offset: facts.audioStart, sample: lead))
                return
            }
            way = .bisection(
                SeekBisection(
                    target, from: .init(offset: facts.audioStart, sample: lead),
                    to: .init(offset: end, sample: facts.samples ?? 0), chunk: Self.chunk))
        }
    }

    /// The next read; nil once ``place`` is set.
    package func next() -> FileRead? {
        switch way {
        case .bisection(let search): search.next
        case .frames(let search): search.next
        case .found: nil
        }
    }

    /// Takes the bytes read. If they are fewer than requested, the file, or the part that is loaded, ends after them.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) {
        guard let read = next() else { return }
        let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(read.count))
        switch way {
        case .found: break
        case .frames(var search):
            search.take(bytes, isEnd: bytes.count < read.count)
            way = .frames(search)
        case .bisection(var search):
            search.take(candidates(in: bytes, at: read.offset), from: read.offset, to: read.offset + Int64(bytes.count))
            way = .bisection(search)
        }
    }

    /// The place found; nil until then.
    package var place: SeekPlace? {
        switch way {
        case .found(let place): place
        case .frames(let search): search.place
        case .bisection(let search) where search.next == nil:
            SeekPlace(offset: search.low.offset, sample: search.low.sample)
        case .bisection: nil
        }
    }

    private func candidates(in bytes: UnsafeRawBufferPointer, at offset: Int64) -> [SeekBisection.Candidate] {
        guard facts.container == .ogg else {
            return FLACFrameCandidates.candidates(in: bytes, at: offset, facts).map {
                .init(offset: $0.offset, sample: $0.sample)
            }
        }
        var scanner = OggPageScanner()
        scanner.append(bytes)
        scanner.finish()
        var candidates: [SeekBisection.Candidate] = []
        let skipped = facts.firstGranule.addingSaturated(Int64(facts.preSkip))
        while let finding = scanner.next() {
            guard case .page(let page, _, let start) = finding, page.serial == facts.serial, let granule = page.position
            else { continue }
            // The next page begins with the sample after this page's last packet.
            candidates.append(
                .init(offset: offset + start + Int64(page.length), sample: granule.addingSaturated(-skipped)))
        }
        return candidates
    }
}
