// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Storage

/// How a file begins: its name, and what precedes its frames.
struct FileDraft {
    private(set) var spec: SegmentFileSpec
    private(set) var head = SegmentHead.none
    /// Packs packets into pages; Ogg only.
    private(set) var pages: PageMaker?

    /// Creates the draft for the file of a planned segment that begins with `chunk`.
    init(
        _ plan: SegmentPlan, chunk: Chunk, from kind: SourceKind?, number: Int, station: String,
        _ settings: RecorderSettings
    ) {
        spec = settings.fileSpec(for: plan, station: station)
        guard plan.format.container == .ogg else {
            let tag = settings.tag(for: plan, station: station, fileName: spec.name)
            head = SegmentHead(plan.format, tag: tag, firstHeader: settings.isPure ? nil : chunk.firstHeader)
            spec.header = head.bytes
            return
        }
        let serial = UInt32(truncatingIfNeeded: number)
        let preSkip = PageMaker.preSkip(at: chunk.position, of: kind)
        var paginator = settings.paginator(
            for: plan, serial: serial, station: station, fileName: spec.name, preSkip: preSkip)
        spec.header = paginator.headerPages()
        spec.isPaged = true
        pages = PageMaker(paginator, serial: serial)
    }

    /// Creates the draft for the rest of a file that was cut: frames of the same format, pages of the same stream.
    init(
        _ plan: SegmentPlan, rest: SegmentAccount, of file: PendingFile, station: String, _ settings: RecorderSettings
    ) {
        spec = settings.fileSpec(for: plan, station: station)
        spec.isPaged = file.spec.isPaged
        head = file.head.ofPart(
            frames: rest.frames, bytes: rest.bytes,
            tag: settings.tag(for: plan, station: station, fileName: spec.name))
        spec.header = head.bytes
        pages = file.pages
        guard let pages else { return }
        var paginator = settings.paginator(
            for: plan, serial: pages.serial, station: station, fileName: spec.name, preSkip: .convergence)
        spec.header = paginator.headerPages()
    }

    /// Sets the file's first sidecar. It is kept, or it exists only while the file grows.
    mutating func begin(with sidecar: Sidecar) {
        spec.indexRate = sidecar.isIndexed ? sidecar.format.sampleRate : nil
        if sidecar.isKept { spec.sidecar = sidecar.encoded } else { spec.passingSidecar = sidecar.encoded }
    }
}

extension RecorderSettings {
    /// The paginator of a file.
    fileprivate func paginator(
        for plan: SegmentPlan, serial: UInt32, station: String, fileName: String, preSkip: OggPaginator.PreSkip
    ) -> OggPaginator {
        let comments = isPure ? [] : comments(for: plan, station: station, fileName: fileName)
        return OggPaginator(
            format: plan.format, serial: serial, comments: comments.map { ($0.name, $0.value) }, preSkip: preSkip,
            pageDuration: Self.pageDuration)
    }

    /// Ogg: the duration of audio gathered for a page, in addition to the audio that waits for the writer.
    private static let pageDuration = Duration.milliseconds(200)
}

extension Chunk {
    /// The header of the first frame if it is MPEG audio.
    fileprivate var firstHeader: MPEGFrameHeader? {
        slab.withBytes(bytes) { bytes in
            guard bytes.count >= 4 else { return nil }
            return MPEGFrameHeader(word: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
        }
    }
}
