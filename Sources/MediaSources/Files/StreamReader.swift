// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore
import RadioFormats

/// Reads standard input or a named pipe as bytes arrive. Confined to the reader's thread.
///
/// It blocks until bytes arrive, and until a writer opens the other end of a named pipe.
final class StreamReader: MediaReader {
    enum Origin {
        case standardInput
        /// The path of a pipe or of a device.
        case path(String)
    }

    private let descriptor: CInt
    private let isOwn: Bool
    private let stop: StopFlag?

    /// Raising `stop` makes reads report the end; it does not interrupt the opening of a named pipe.
    init(_ origin: Origin, _ stop: StopFlag?) throws(Failure) {
        self.stop = stop
        switch origin {
        case .standardInput:
            (descriptor, isOwn) = (STDIN_FILENO, false)
        case .path(let path):
            (descriptor, isOwn) = (open(path.pathBytes, O_RDONLY | O_NOCTTY | O_CLOEXEC), true)
            guard descriptor >= 0 else { throw Failure(reading: path, errno) }
        }
    }

    deinit {
        if isOwn { close(descriptor) }
    }

    /// Calls `poll`, then `read` once.
    func read(_ limit: Int, _ take: (UnsafeRawBufferPointer) -> Void) throws(Failure) -> Bool {
        var wanted = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        if let stop { wanted.append(pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)) }
        while poll(&wanted, nfds_t(wanted.count), -1) < 0 {
            guard errno == EINTR || errno == EAGAIN else { throw Failure(reading: "it", errno) }
        }
        guard stop?.isRaised != true else { return false }
        return try readOnce(limit, take) { Glibc.read(descriptor, $0, $1) }
    }
}
