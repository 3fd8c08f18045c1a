// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Storage

// Keeping the ledgers: that of the recording, and that of the file in which something happened.
extension Recorder {
    /// Enters a chunk, and what belongs to its first frame.
    func enter(_ chunk: Chunk, into file: RecorderFile) {
        let gapsBefore = file.ledger.gaps.count
        endLoss(in: file)
        for mark in marks { enter(mark, into: file) }
        marks.removeAll()
        // Should the process be killed now, the sidecar must know of the gap.
        if file === current, file.ledger.gaps.count > gapsBefore { refreshSidecarSoon() }
        let (frames, bytes) = (Int64(chunk.frames.count), Int64(chunk.bytes.count))
        file.ledger.count(frames: frames, bytes: bytes, samples: chunk.samples)
        if let drift = airTime?.drift { file.ledger.clockDrift = drift }
        ledger.count(
            first: chunk.position.frames, frames: frames, bytes: bytes, seconds: chunk.duration.inSeconds)
    }

    /// Enters what was lost, as a gap before the next frame of the file, or at the end of the recording.
    func endLoss(in file: RecorderFile?) {
        guard let loss else { return }
        self.loss = nil
        let gap = ledger.add(Gap(at: loss.at, length: loss.length, cause: loss.cause, failure: loss.failure))
        if let file {
            for gap in loss.gaps + [gap] { file.ledger.insert(gap.moved(to: file.ledger.frames)) }
        }
        onNotice?(.lost(gap))
    }

    /// Enters what was lost after the last frame into the last complete file, and all that still waits for a frame.
    func endAccounts() {
        guard loss != nil || !marks.isEmpty else { return }
        let last = finished.last
        endLoss(in: last)
        for mark in marks { enter(mark, into: last) }
        marks.removeAll()
        if let last { rewriteSidecar(of: last) }
    }

    /// Enters the frames of `rest`, which began at `position`, as lost: a file was to hold them, or held them. Gaps
    /// among them are in no file any more, so they go where the new gap goes.
    func lose(_ rest: SegmentLedger, at position: Int64, of file: RecorderFile, _ error: StorageError) {
        forget(rest, at: position)
        let length = Duration.samples(rest.samples, at: file.format.sampleRate)
        let next = (ending + [current].compactMap { $0 }).first { $0 !== file && $0.first == position }
        guard let next, next.ledger.frames > 0 else {
            // The loss is at the present end of the recording, and grows with what else is lost there.
            loss = Loss(
                at: min(rest.start, loss?.at ?? rest.start), length: length + (loss?.length ?? .zero),
                cause: error.message, failure: error.failure, gaps: (loss?.gaps ?? []) + rest.gaps)
            return
        }
        let gap = ledger.insert(
            Gap(at: rest.start, length: length, cause: error.message, failure: error.failure), at: position)
        for gap in rest.gaps + [gap] { next.ledger.insert(gap.moved(to: 0)) }
        onNotice?(.lost(gap))
        rewriteSidecar(of: next)
    }

    /// Takes the frames of `rest`, which began at `position` and were never written, off the account.
    func forget(_ rest: SegmentLedger, at position: Int64) {
        let range = position..<position + rest.frames
        ledger.forget(range, bytes: rest.bytes, seconds: rest.seconds)
        for file in ending + [current].compactMap({ $0 }) { file.first = file.first.without(range) }
    }

    /// `file` is nil where there is no file any more: then the report alone has the entry.
    private func enter(_ mark: SegmentMark, into file: RecorderFile?) {
        let offset = (file?.ledger.frames ?? 0) - ledger.frames
        switch mark {
        case .title(let title, let airTime):
            let entry = ledger.add(title: title.text, at: airTime)
            file?.ledger.add(entry.moved(by: offset))
        case .discontinuity(let discontinuity):
            guard case .gap(let gap) = discontinuity.kind else { return }
            let entry = ledger.add(gap, toldAt: discontinuity.position.frames)
            file?.ledger.add(entry.moved(by: offset))
        case .splice(let splice):
            let entry = ledger.add(splice)
            file?.ledger.add(entry.moved(by: offset))
        case .stretch(let stretch):
            enter(stretch)
        }
    }

    /// A stretch may lie in several files, some of which are finished.
    private func enter(_ stretch: Stretch) {
        let (entry, withdrawn) = ledger.add(stretch)
        for file in finished + ending + [current].compactMap({ $0 }) {
            var isNews = file.ledger.add(entry, stretch.kind, first: file.first, zone: settings.zone)
            for gap in withdrawn where file.ledger.withdraw(gap) { isNews = true }
            if isNews { rewriteSidecar(of: file) }
        }
    }

    /// Lets the file's sidecar say what its ledger says now.
    func rewriteSidecar(of file: RecorderFile) {
        guard settings.writesSidecars else { return }
        switch file.stage {
        case .growing: writer.setSidecar(sidecar(of: file, .growing), of: file.id)
        // The writer has its last sidecar already, and may be using it just now.
        case .ending: file.isSidecarOutdated = true
        case .finished: writer.setSidecar(sidecar(of: file, .complete), of: file.id)
        }
    }
}
