// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore

/// Bytes that come when they come: standard input, or a named pipe. Confined to the reader's thread.
///
/// It waits for as long as nothing comes, and for whoever opens the other end of a named pipe.
final class StreamReader: MediaReader {
    enum Origin {
        case standardInput
        /// The path of a pipe or of a device.
        case path(String)
    }

    private let descriptor: CInt
    private let isOwn: Bool
    private let stop: StopFlag?

    /// Whoever raises `stop` is told the end of the bytes; not so while a named pipe is being opened.
    init(_ origin: Origin, _ stop: StopFlag?) throws(Failure) {
        self.stop = stop
        switch origin {
        case .standardInput:
            (descriptor, isOwn) = (STDIN_FILENO, false)
        case .path(let path):
            (descriptor, isOwn) = (open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC), true)
            guard descriptor >= 0 else { throw Failure(reading: path, errno) }
        }
    }

    deinit {
        if isOwn { close(descriptor) }
    }

    /// `poll`, then one `read` of what is there.
    func read(_ limit: Int, _ take: (UnsafeRawBufferPointer) -> Void) throws(Failure) -> Bool {
        var wanted = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        if let stop { wanted.append(pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)) }
        while poll(&wanted, nfds_t(wanted.count), -1) < 0 {
            guard errno == EINTR || errno == EAGAIN else { throw Failure(reading: "it", errno) }
        }
        guard stop?.isRaised != true else { return false }
        return try MediaSources.read(descriptor, limit, take)
    }
}
