// SPDX-License-Identifier: MIT

package import EventLoop
package import MediaSources
package import RadioCore

/// A file of this machine: it is read as fast as possible, pauses while a sink has enough, and ends without failure.
final class LocalFile {
    private let reader: ReaderThread
    private let info: StationInfo
    private let trunk: Trunk
    private let reactor: any Reactor
    private var isPaused = false
    /// Whether all of the file has been read, but it may still grow.
    private var isGrowing = false
    /// Takes one step in each turn of the loop, so that a file never holds up the others.
    private lazy var turn = reactor.makeTimer { [unowned self] in proceed() }

    fileprivate init(_ reader: ReaderThread, _ info: StationInfo, into trunk: Trunk, _ reactor: any Reactor) {
        (self.reader, self.info, self.trunk, self.reactor) = (reader, info, trunk, reactor)
    }

    private func proceed() {
        guard !isPaused, let step = reader.next() else { return }
        take(step)
        armTurn()
    }

    private func armTurn() { turn.arm(at: reactor.now) }

    private func take(_ step: MediaStep) {
        switch step {
        case .opened, .skipped: break
        case .idle: isGrowing = true
        case .leftOut(let bytes, _): trunk.onNotice?(.attachmentsLeftOut(bytes: bytes, of: info.name))
        case .mayBeIncomplete: trunk.onNotice?(.mayBeIncomplete(item: info.name))
        case .parts(let parts):
            isGrowing = false
            parts.pass(to: trunk)
            trunk.hub.flush()
        case .ended(let failure):
            reader.close()
            trunk.hub.end(failure)
        }
    }
}

extension Programme {
    /// Plays a file that `reader` has opened but not started to read. The first frame is at `start`.
    package convenience init(
        _ reader: ReaderThread, name: String, path: String, of size: Int64?, from start: Position, reactor: any Reactor
    ) {
        var info = StationInfo(kind: .finite, name: name, url: FileURI.text(ofPath: path))
        info.length = size
        self.init(from: start, reactor: reactor) { LocalFile(reader, info, into: $0, reactor) }
    }
}

extension LocalFile: Source {
    func begin() {
        trunk.hub.announce(info)
        reader.onSteps = { [weak self] in self?.armTurn() }
        armTurn()
    }

    func stop() { reader.close() }

    func describe(in snapshot: inout StationSnapshot) {
        if isGrowing, snapshot.activity != .stopped { snapshot.activity = .growing }
    }

    var canPause: Bool { true }

    func pause() { isPaused = true }

    func resume() {
        isPaused = false
        armTurn()
    }
}
