// SPDX-License-Identifier: MIT

import CLibCurl
import RadioFormats

/// A request to a server on this machine, over its Unix socket. It is meant for commands that do nothing else
/// meanwhile, because its calls block.
package struct LocalRequest: Sendable {
    /// The path of the socket.
    package var socket: String
    package var method = "GET"
    /// The path and query of the request, percent-encoded.
    package var target: String
    package var timeout = Duration.seconds(30)
    /// The maximum length of the response's body in bytes. A longer response is an error.
    package var mostBytes = 64 << 20

    package init(socket: String, target: String) {
        self.socket = socket
        self.target = target
    }

    /// A complete response, whatever its status.
    package struct Response: Sendable {
        package var status: Int
        package var body: [UInt8]
    }

    /// Why there is no response.
    package enum Fault: Error, Hashable, Sendable {
        /// Nobody listens on the socket, or this user may not connect to it.
        case unreachable
        /// libcurl's description of any other fault.
        case failed(String)
    }

    private final class Body {
        var bytes: [UInt8] = []
        let most: Int

        init(most: Int) {
            self.most = most
        }
    }

    /// Sends the request and waits for the response (`curl_easy_perform`).
    package func perform() throws(Fault) -> Response {
        if let fault = CurlLibrary.fault { throw .failed("\(fault)") }
        let body = Body(most: mostBytes)
        var status = 0
        let result = withExtendedLifetime(body) {
            ac_curl_request_locally(
                socket.pathBytes, method, "http://localhost\(target)", Int(max(1, timeout.components.seconds)),
                receiveLocalBody, Unmanaged.passUnretained(body).toOpaque(), &status)
        }
        guard result == 0 else {
            throw result == Self.couldNotConnect ? .unreachable : .failed(CurlLibrary.describe(result))
        }
        return Response(status: status, body: body.bytes)
    }

    /// CURLE_COULDNT_CONNECT.
    private static let couldNotConnect: CInt = 7

    fileprivate static func receive(_ context: UnsafeMutableRawPointer, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let body = Unmanaged<Body>.fromOpaque(context).takeUnretainedValue()
        guard body.bytes.count + bytes.count <= body.most else { return false }
        body.bytes += bytes
        return true
    }
}

private func receiveLocalBody(_ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<CChar>, _ count: Int) -> Bool
{
    guard let context else { return false }
    return LocalRequest.receive(context, UnsafeRawBufferPointer(start: bytes, count: count))
}
