// SPDX-License-Identifier: MIT

package import Instants

/// The frames that one connection has sent whole, and when: the truth with which a ``RecordingJudge`` compares a
/// recording. Times are relative to the start of the origin.
package struct SentFrames: Sendable {
    /// Frames that follow each other in the programme, and whose last bytes were sent at once.
    package struct Run: Sendable {
        package var places: Range<Int>
        package let at: Duration
        /// When the client read the last byte.
        package let read: Duration
    }

    package let host: String
    package let accepted: Duration
    /// When either side ended the connection; nil if it was open at the end.
    package let ended: Duration?
    package private(set) var runs: [Run] = []

    /// The frames of all connections. If the client ended a connection, it may not have read what was sent on it within
    /// `unread` before.
    package static func all(
        of log: OriginLog, _ broadcast: Broadcast, since began: MonotonicInstant, unread: Duration = .zero
    ) -> [SentFrames] {
        let closed = Set(log.faults.lazy.filter { $0.effect == .close || $0.effect == .reset }.map(\.connection))
        return log.accepts.enumerated().map { number, accept in
            var frames = SentFrames(accept, broadcast, since: began)
            if unread > .zero, let ended = frames.ended, !closed.contains(number) {
                frames.runs.removeAll { $0.at > ended - unread }
            }
            return frames
        }
    }

    private init(_ accept: OriginLog.Accept, _ broadcast: Broadcast, since began: MonotonicInstant) {
        (host, accepted, ended) = (accept.host, accept.at - began, accept.ended.map { $0 - began })
        // The bytes sent without a hole so far, and the first of their frames that is not in a run.
        var (bytes, next) = (0..<0, 0)
        for sent in accept.sent {
            if sent.range.lowerBound == bytes.upperBound {
                bytes = bytes.lowerBound..<sent.range.upperBound
            } else {
                bytes = sent.range
                next = 0
            }
            let frames = broadcast.frames(in: bytes)
            let fresh = max(next, frames.lowerBound)..<max(next, frames.upperBound)
            next = fresh.upperBound
            guard !fresh.isEmpty else { continue }
            runs.append(Run(places: fresh, at: sent.at - began, read: sent.read - began))
        }
    }
}
