// SPDX-License-Identifier: MIT

/// Why a request is refused before any route sees it: the status to answer with, and a line for the client.
package struct HTTPRequestError: Error, Hashable, Sendable {
    package var status: HTTPStatus
    package var message: String

    package init(_ status: HTTPStatus, _ message: String) {
        self.status = status
        self.message = message
    }
}
