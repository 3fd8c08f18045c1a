// SPDX-License-Identifier: MIT

/// Why a request is refused before routing: the status of the answer, and a line for the client.
package struct HTTPRequestError: Error, Hashable, Sendable {
    package var status: HTTPStatus
    package var message: String

    package init(_ status: HTTPStatus, _ message: String) {
        self.status = status
        self.message = message
    }
}
