// SPDX-License-Identifier: MIT

import EventLoop
import MediaSources
import Playback
import RadioCore
import Stations

/// Opens a local file.
final class FileOpener: ItemOpener {
    private var reader: ReaderThread?
    private let name: String
    private let path: String
    private let reactor: any Reactor
    private let done: (Result<OpenItem, Failure>) -> Void

    init(
        _ path: String, name: String, from start: Duration, _ reactor: any Reactor,
        done: @escaping (Result<OpenItem, Failure>) -> Void
    ) {
        self.name = name
        self.path = path
        self.reactor = reactor
        self.done = done
        do throws(Failure) {
            reader = try ReaderThread(path, from: start, reactor: reactor) { [weak self] in self?.hear() }
        } catch {
            reactor.defer { done(.failure(error)) }
        }
    }

    func cancel() {
        reader?.close()
        reader = nil
    }

    private func hear() {
        guard let reader = reader.take() else { return }
        switch reader.next() {
        case .opened(let opening):
            let programme = Programme(
                reader, name: name, path: path, of: opening.size, from: opening.position, reactor: reactor)
            done(.success(OpenItem(programme: programme, passage: Passage(opening))))
        case .ended(let failure?): done(.failure(failure))
        default: break
        }
    }
}

extension Passage {
    init(_ opening: ItemOpening) {
        let (first, padding) = opening.heard
        self.init(first: first, padding: padding, start: opening.start, length: opening.length)
    }
}
