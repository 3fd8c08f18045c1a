// SPDX-License-Identifier: MIT

import EventLoop

// Reports the requests of each connection to the access log. Costs nothing without an access log.
extension HTTPService {
    func requestHasArrived(_ request: HTTPRequest, on socket: HTTPSocket) {
        guard onAnswered != nil else { return }
        begin(AccessRecord(request, at: reactor.wallNow), socket)
    }

    /// Opens the record of a client that has sent something that is not a request.
    func requestIsInvalid(_ status: HTTPStatus, on socket: HTTPSocket) {
        guard onAnswered != nil else { return }
        begin(AccessRecord(client: socket.client.host, at: reactor.wallNow, status: status.rawValue), socket)
    }

    private func begin(_ record: AccessRecord, _ socket: HTTPSocket) {
        accessRecords.begin(record, on: socket.descriptor, bytesBefore: socket.bytesSent)
    }

    func answerBegins(_ status: HTTPStatus, on socket: HTTPSocket) {
        accessRecords.note(status: status.rawValue, on: socket.descriptor)
    }

    func userIsKnown(_ name: String, on socket: HTTPSocket) {
        accessRecords.note(user: name, on: socket.descriptor)
    }

    /// Ends the record of a request: its answer is complete, or its socket is closed.
    func answerHasEnded(on socket: HTTPSocket) {
        guard let record = accessRecords.end(on: socket.descriptor, bytes: socket.bytesSent) else { return }
        onAnswered?(record)
    }
}
