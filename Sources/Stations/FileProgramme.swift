// SPDX-License-Identifier: MIT

package import MediaSources
package import RadioCore

/// A local file as a programme: it is read as fast as possible, pauses while a sink has enough, and ends without
/// failure. Confined to the loop's thread.
package final class FileProgramme {
    package let hub: StreamHub
    package var onNotice: ((StationNotice) -> Void)?
    /// Unused: nothing is requested.
    package var requestFields: () -> [StationSettings.Header] = { [] }
    private let source: ItemReader
    private let info: StationInfo
    private var pauses = PauseRequests()
    /// Whether the reader waits to be resumed.
    private var isWaiting = false
    /// Whether all of the file has been read, but it may still grow.
    private var isGrowing = false
    private var hasStarted = false

    /// Creates the programme of a file that `source` has opened but not started to read. The first frame is at `start`.
    package init(_ source: ItemReader, name: String, path: String, of size: Int64?, from start: Position) {
        self.source = source
        var info = StationInfo(kind: .finite, name: name, url: FileURI.text(ofPath: path))
        info.length = size
        self.info = info
        hub = StreamHub(from: start)
    }

    package func start() {
        guard !hasStarted else { return }
        hasStarted = true
        hub.announce(info)
        source.onEvent = { [weak self] in self?.take($0) }
        proceed()
    }

    package func stop() {
        source.close()
        hub.end(nil)
    }

    private func take(_ event: ItemReader.Event) {
        switch event {
        case .opened: break
        case .waiting: isGrowing = true
        case .leftOut(let bytes): onNotice?(.attachmentsLeftOut(bytes: bytes, of: info.name))
        case .mayBeIncomplete: onNotice?(.mayBeIncomplete(item: info.name))
        case .parts(let parts):
            isGrowing = false
            take(parts)
            hub.flush()
            isWaiting = true
            if pauses.isEmpty { proceed() }
        case .last(let parts):
            take(parts)
            end(nil)
        case .failed(let failure): end(failure)
        }
    }

    private func take(_ parts: StreamParts) {
        parts.forEach { part, bytes in
            switch part {
            case .format(let format):
                let isFirst = hub.ring.format == nil
                hub.begin(format)
                if isFirst { hub.report(.firstJoin) }
            case .title(let text, let raw, let url): hub.setTitle(text, raw: raw, url: url)
            case .resync, .missing: hub.report(.resync)
            case .frame(let facts):
                hub.append(bytes, samples: facts.samples, backReference: facts.backReference)
            }
        }
    }

    private func end(_ failure: Failure?) {
        source.close()
        hub.end(failure)
    }

    private func proceed() {
        isWaiting = false
        source.proceed()
    }
}

extension FileProgramme: Programme {
    package var snapshot: StationSnapshot {
        let activity: Activity = isGrowing ? .growing : hub.hasAudio ? .delivering : .awaitingAudio
        return StationSnapshot(
            of: hub, activity: hub.hasEnded ? .stopped : activity, isDelivering: hub.hasAudio && !hub.hasEnded)
    }

    package func leave(_ sink: any StreamSink) { hub.leave(sink) }

    package func pause(for sink: any StreamSink) { pauses.add(sink) }

    package func resume(for sink: any StreamSink) {
        guard pauses.remove(sink), isWaiting else { return }
        proceed()
    }

    /// Irrelevant to files.
    package func networkChanged() {}
    package func clockStepped() {}
}
