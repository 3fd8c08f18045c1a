// SPDX-License-Identifier: MIT

package import EventLoop
package import MediaSources
package import RadioCore

/// A file of this machine: it is read as fast as possible, pauses while a sink has enough, and ends without failure.
final class LocalFile {
    private let reader: ItemReader
    private let info: StationInfo
    private let trunk: Trunk
    private var isPaused = false
    /// Whether the reader waits to be resumed.
    private var isWaiting = false
    /// Whether all of the file has been read, but it may still grow.
    private var isGrowing = false

    fileprivate init(_ reader: ItemReader, _ info: StationInfo, into trunk: Trunk) {
        (self.reader, self.info, self.trunk) = (reader, info, trunk)
    }

    private func take(_ event: ItemReader.Event) {
        switch event {
        case .opened: break
        case .waiting: isGrowing = true
        case .leftOut(let bytes): trunk.onNotice?(.attachmentsLeftOut(bytes: bytes, of: info.name))
        case .mayBeIncomplete: trunk.onNotice?(.mayBeIncomplete(item: info.name))
        case .parts(let parts):
            isGrowing = false
            parts.pass(to: trunk)
            trunk.hub.flush()
            isWaiting = true
            if !isPaused { proceed() }
        case .last(let parts):
            parts.pass(to: trunk)
            end(nil)
        case .failed(let failure): end(failure)
        }
    }

    private func end(_ failure: Failure?) {
        reader.close()
        trunk.hub.end(failure)
    }

    private func proceed() {
        isWaiting = false
        reader.proceed()
    }
}

extension Programme {
    /// Plays a file that `reader` has opened but not started to read. The first frame is at `start`.
    package convenience init(
        _ reader: ItemReader, name: String, path: String, of size: Int64?, from start: Position, reactor: any Reactor
    ) {
        var info = StationInfo(kind: .finite, name: name, url: FileURI.text(ofPath: path))
        info.length = size
        self.init(from: start, reactor: reactor) { LocalFile(reader, info, into: $0) }
    }
}

extension LocalFile: Source {
    func begin() {
        trunk.hub.announce(info)
        reader.onEvent = { [weak self] in self?.take($0) }
        proceed()
    }

    func stop() { reader.close() }

    func describe(in snapshot: inout StationSnapshot) {
        if isGrowing, snapshot.activity != .stopped { snapshot.activity = .growing }
    }

    var canPause: Bool { true }

    func pause() { isPaused = true }

    func resume() {
        isPaused = false
        if isWaiting { proceed() }
    }
}
