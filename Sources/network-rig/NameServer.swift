// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Synchronization
import TestTools

/// A name server on 127.0.0.1 that gives one kind of answer at a time. Runs until the process ends.
final class NameServer: Sendable {
    enum Mood: Sendable {
        /// Receives queries and never answers.
        case silent
        /// Answers that no name exists.
        case missing
        /// Answers 127.0.0.1 for every name.
        case answering
    }

    private let mood: Mutex<Mood>
    /// The time of the last query.
    let lastQuestion = Watched(MonotonicInstant(nanoseconds: 0))

    /// Listens on port 53, which requires a separate network namespace.
    init(_ mood: Mood) throws {
        self.mood = Mutex(mood)
        let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(53).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw RigError("port 53 of 127.0.0.1 cannot be had: errno \(errno)") }
        startThread("name-server") { [self] in serve(descriptor) }
    }

    /// Takes effect from the next query on.
    func become(_ mood: Mood) { self.mood.withLock { $0 = mood } }

    private func serve(_ descriptor: CInt) {
        var question = [UInt8](repeating: 0, count: 512)
        while true {
            var peer = sockaddr()
            var length = socklen_t(MemoryLayout<sockaddr>.size)
            let count = recvfrom(descriptor, &question, question.count, 0, &peer, &length)
            lastQuestion.change { $0 = .now }
            guard count > 0, let answer = answer(Array(question[..<count])) else { continue }
            sendto(descriptor, answer, answer.count, 0, &peer, length)
        }
    }

    /// The answer to a query for a single name (RFC 1035 §4.1); nil for no answer.
    private func answer(_ question: [UInt8]) -> [UInt8]? {
        let mood = mood.withLock { $0 }
        guard mood != .silent, question.count > 16, let nameEnd = question[12...].firstIndex(of: 0),
            question.count >= nameEnd + 5
        else { return nil }
        let asksForIPv4 = question[nameEnd + 1] == 0 && question[nameEnd + 2] == 1
        let isThere = mood == .answering && asksForIPv4
        // The answer begins with the query, and has the flags of a recursive answer: no error, or no such name (3).
        var answer = Array(question[..<(nameEnd + 5)])
        answer[2...3] = [0x81, mood == .missing ? 0x83 : 0x80]
        answer[6...11] = [0, isThere ? 1 : 0, 0, 0, 0, 0]
        // The record has the name in the query, type A, class IN, a TTL of 0 and the address.
        if isThere { answer += [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1] }
        return answer
    }
}
