// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats
import Storage

// What the writer reports.
extension Recorder {
    /// Takes a report of the writer; on the loop, in order.
    func hear(_ report: WriterReport) {
        switch report {
        case .opened(let id, let path): opened(id, path)
        case .cut(let id, let facts, let error): cut(id, facts, error)
        case .finished(let id, let facts, let problem): finished(id, facts, problem)
        case .discarded(let id): remove(id)
        case .abandoned(let id, let facts, _, let error): abandoned(id, facts, error)
        case .failing(let error):
            failing = error
            onNotice?(.failing(error))
        case .resumed:
            failing = nil
            onNotice?(.resumed)
        case .sidecarFailed(_, let error): onNotice?(.flawed(error))
        case .drained: resumeSource()
        case .recovered(let files):
            for file in files {
                self.report.recovered.appendBounded(file)
                onNotice?(.recovered(file))
            }
        case .detached: endStop()
        }
        detachWhenDone()
    }

    private func opened(_ id: FileID, _ path: String) {
        guard let file = file(id) else { return }
        file.path = path
        onNotice?(.began(path: path))
        link(file)
        guard let before = finished.last, before.next == nil else { return }
        before.next = file.name
        rewriteSidecar(of: before)
    }

    /// A file that was begun when the one before it had no name yet learns that name now.
    private func link(_ file: RecorderFile) {
        let files = finished + ending + [current].compactMap(\.self)
        guard file.previous == nil, let index = files.firstIndex(where: { $0 === file }), index > 0 else { return }
        file.previous = files[index - 1].name
        rewriteSidecar(of: file)
    }

    private func finished(_ id: FileID, _ facts: FileFacts, _ problem: StorageError?) {
        if let problem { onNotice?(.flawed(problem)) }
        guard let file = remove(id) else { return }
        file.path = facts.path
        unfinished = nil
        let segment = recordedSegment(file, facts, isComplete: true)
        report.add(segment)
        file.stage = .finished(at: reactor.now)
        finished.append(file)
        // The next file may be there already.
        file.next = ending.first?.name ?? current?.name
        if file.next != nil || file.isSidecarOutdated { rewriteSidecar(of: file) }
        releaseFinished()
        onNotice?(.finished(segment))
    }

    /// Lets go of files whose sidecars will not change any more.
    private func releaseFinished() {
        let isOld = { [now = reactor.now] (file: RecorderFile) in
            guard case .finished(let at) = file.stage else { return false }
            return now - at > Self.longestStretch
        }
        while finished.count > 1, finished.count > Self.mostFinished || isOld(finished[0]) {
            writer.release(finished.removeFirst().id)
        }
    }

    private func abandoned(_ id: FileID, _ facts: FileFacts, _ error: StorageError) {
        if let file = remove(id) { leave(file, facts, error) }
    }

    /// Leaves a file that could not be completed, with the frames that are in it.
    func leave(_ file: RecorderFile, _ facts: FileFacts, _ error: StorageError) {
        let rest = file.ledger.cut(facts, nextNumber: 0)
        if rest.frames > 0 { lose(rest, at: file.first + facts.frames, of: file, error) }
        unfinished = error.failure
        // Without frames there is no file: the gap is at the end of the file before, or before the one after.
        guard facts.frames > 0 else { return }
        if rest.frames > 0 { endLoss(in: file) }
        report.add(recordedSegment(file, facts, isComplete: false))
        onNotice?(.leftBehind(path: facts.path, error))
    }

    /// A file has failed in the middle: it ends there, and the next one begins with what waits in the queue.
    private func cut(_ id: FileID, _ facts: FileFacts, _ error: StorageError) {
        // A recorder that gives up hears of the file once more, when the writer leaves it.
        guard stopping?.isGivingUp != true, let file = file(id) else { return }
        onNotice?(.cut(path: facts.path, error))
        lastNumber += 1
        let rest = file.ledger.cut(facts, nextNumber: lastNumber)
        let wholeHead = file.head
        file.head = wholeHead.ofPart(frames: facts.frames, bytes: facts.bytes)
        let title = file.ledger.titles.last?.text
        let plan = SegmentPlan(
            sequence: lastNumber, position: Position(), airTime: rest.start, title: title, cause: .storage,
            format: file.format)
        var spec = settings.fileSpec(for: plan, station: station)
        spec.isPaged = file.spec.isPaged
        let head = wholeHead.ofPart(
            frames: rest.frames, bytes: rest.bytes,
            tag: settings.tag(for: plan, station: station, fileName: spec.name))
        spec.header = head.bytes
        if let pages = file.pages {
            var paginator = paginator(for: plan, serial: pages.serial, spec, preSkip: .convergence)
            spec.header = paginator.headerPages()
        }
        let ending = fileEnding(of: file)
        begin(rest.sidecar(settings, station: station, state: .growing), of: &spec)
        let nextID = writer.resume(id, ending, in: spec)
        let next = RecorderFile(
            id: nextID, spec: spec, format: file.format, first: file.first + facts.frames, ledger: rest,
            head: head)
        next.previous = file.name
        next.pages = file.pages
        file.next = nil
        replace(file, by: next)
    }

    /// The old file is on its way to its end; the new one takes its place.
    private func replace(_ file: RecorderFile, by next: RecorderFile) {
        if current === file {
            current = next
            ending.append(file)
        } else if let index = ending.firstIndex(where: { $0 === file }) {
            next.stage = .ending
            ending.insert(next, at: index + 1)
            writer.close(next.id, fileEnding(of: next))
        }
        file.stage = .ending
    }

    private func recordedSegment(_ file: RecorderFile, _ facts: FileFacts, isComplete: Bool) -> RecordedSegment {
        RecordedSegment(
            path: facts.path, at: CivilTime(file.ledger.start, in: settings.zone), frames: facts.frames,
            bytes: facts.bytes, seconds: file.format.seconds(of: facts.samples), isComplete: isComplete)
    }

    private func file(_ id: FileID) -> RecorderFile? {
        if let current, current.id == id { return current }
        return ending.first { $0.id == id }
    }

    @discardableResult
    private func remove(_ id: FileID) -> RecorderFile? {
        if let current, current.id == id {
            self.current = nil
            return current
        }
        guard let index = ending.firstIndex(where: { $0.id == id }) else { return nil }
        return ending.remove(at: index)
    }

    /// The longest time between a stretch and its report: the audio held at a reconnect, and 90 s.
    private static let longestStretch = Duration.seconds(180)
    private static let mostFinished = 200
}
