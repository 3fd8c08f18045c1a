// SPDX-License-Identifier: MIT

import RadioCore

// How connections are closed, and where the frames go that they held back.
extension Station {
    func closeHedge() {
        hedge?.upstream.close()
        hedge = nil
    }

    /// All that they held goes where it most likely belongs, the hedge's after the first connection's.
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
        // A file that broke off goes on in the same place; of a station nothing is kept.
        guard isLast || !line.upstream.isResumable else { return }
        first = nil
        conclude(line, isLast: isLast)
        if !isLast { resumeOutage() }
    }

    /// The hedge takes the place of the first connection. What that one held, and others before it, is the hedge's to
    /// bring where it goes on from what was heard. Where it is behind that still, they wait: it may end before it gets
    /// there.
    func leaveFirst() {
        gatherer.end()
        guard let line = first else { return }
        line.upstream.close()
        first = nil
        left += [line, remnant].compactMap(\.self).filter { !$0.joint.isOpen }
        remnant = nil
        if hedge?.joint.isDecided == true { return left = [] }
        guard hedge?.joint.behind != nil else { return concludeLeft() }
        // What is behind itself has brought nothing that the hedge would not bring.
        left.removeAll { $0.joint.behind != nil }
        if left.count > Self.mostLeft { concludeLeft() }
    }

    /// What connections before the first one hold comes before whatever the first one brings.
    func concludeLeft(isLast: Bool = false) {
        let lines = left
        left = []
        conclude(inOrder: lines, isLast: isLast)
    }

    /// Connections that are over. What each of them held is what the ones before it did not bring, and so it is with
    /// those that are still open.
    private func conclude(inOrder lines: [Line], isLast: Bool) {
        for line in lines {
            line.joint.rejoin(after: feed.bookmark)
            conclude(line, isLast: isLast)
            for open in [first, hedge] { open?.joint.rejoin(after: feed.bookmark) }
            if !isLast { resumeOutage() }
        }
    }

    /// Each may hold megabytes.
    private static let mostLeft = 3

    /// A connection is over: what it held goes where it most likely belongs. Of a connection in doubt only the frames
    /// go on that came before the doubt.
    func conclude(_ line: Line, isLast: Bool) {
        if !left.isEmpty, line.joint.wouldConcludeWithGap(line.clock) { concludeLeft(isLast: isLast) }
        if let decision = line.joint.conclude(line.clock) { settle(line, decision) }
        if isLast { releaseHeld() }
        hub.flush()
    }

    /// What was held has gone through, and audio is missing still.
    private func resumeOutage() {
        if outage == nil, let failure = machine.lastFailure { noteOutage(failure) }
    }
}
