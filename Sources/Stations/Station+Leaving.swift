// SPDX-License-Identifier: MIT

import RadioCore

// How connections are closed, and where the frames that they held back go.
extension Station {
    func closeHedge() {
        hedge?.upstream.close()
        hedge = nil
    }

    /// Closes both connections. Their held frames go where they most likely belong, the hedge's after the first
    /// connection's.
    func closeBoth(isLast: Bool = false) {
        let others = [remnant, hedge].compactMap(\.self)
        remnant = nil
        closeHedge()
        closeFirst(isLast: isLast)
        concludeLeft(isLast: isLast)
        conclude(inOrder: others, isLast: isLast)
    }

    private func closeFirst(isLast: Bool) {
        gatherer.end()
        guard let line = first else { return }
        line.upstream.close()
        // A file's connection is kept, for it is opened again where the file broke off. A station's is not.
        guard isLast || !line.upstream.isResumable else { return }
        first = nil
        conclude(line, isLast: isLast)
        if !isLast { resumeOutage() }
    }

    /// The hedge takes the place of the first connection. Where the hedge goes on from what was heard, it brings again
    /// what the first connection, and others before it, held. Where the hedge is still behind, those wait in ``left``:
    /// it may end before it gets there.
    func leaveFirst() {
        gatherer.end()
        guard let line = first else { return }
        line.upstream.close()
        first = nil
        left += [line, remnant].compactMap(\.self).filter { !$0.joint.isOpen }
        remnant = nil
        if hedge?.joint.isDecided == true { return left = [] }
        guard hedge?.joint.behind != nil else { return concludeLeft() }
        // A connection that is behind, too, holds nothing that the hedge would not bring.
        left.removeAll { $0.joint.behind != nil }
        if left.count > Self.mostLeft { concludeLeft() }
    }

    /// Concludes the connections before the first one: their frames come before any of the first one's.
    func concludeLeft(isLast: Bool = false) {
        let lines = left
        left = []
        conclude(inOrder: lines, isLast: isLast)
    }

    /// Concludes connections that are over. Each adds only the frames that the ones before it did not bring; the same
    /// goes for connections that are still open.
    private func conclude(inOrder lines: [Line], isLast: Bool) {
        for line in lines {
            line.joint.rejoin(after: feed.bookmark)
            conclude(line, isLast: isLast)
            for open in [first, hedge] { open?.joint.rejoin(after: feed.bookmark) }
            if !isLast { resumeOutage() }
        }
    }

    /// The most connections in ``left``: each may hold megabytes.
    private static let mostLeft = 3

    /// A connection is over: what it held goes where it most likely belongs. Of a connection in doubt only the frames
    /// from before the doubt go on.
    func conclude(_ line: Line, isLast: Bool) {
        if !left.isEmpty, line.joint.wouldConcludeWithGap(line.clock) { concludeLeft(isLast: isLast) }
        if let decision = line.joint.conclude(line.clock) { settle(line, decision) }
        if isLast { releaseHeld() }
        hub.flush()
    }

    /// The held frames have gone through, and audio is still missing.
    private func resumeOutage() {
        if outage == nil, let failure = machine.lastFailure { noteOutage(failure) }
    }
}
