// SPDX-License-Identifier: MIT

package import EventLoop
package import Instants
import Synchronization

/// One exchange whose response is gathered in memory, within a limit and a deadline.
///
/// It ends by itself, or when its caller has seen enough of the response. The exchange retains it meanwhile.
package final class Fetch {
    package struct Response: Sendable {
        package let head: ResponseHead
        /// The bytes of the body so far.
        package fileprivate(set) var body: [UInt8] = []
    }

    /// Why there is no response, or no use in it. A status is no problem: it is in the head.
    package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The deadline has passed before the body's end.
        case timeout
        /// The body is longer than the limit.
        case tooLong
        case failed(TransferError)

        package var description: String {
            switch self {
            case .timeout: "it took too long"
            case .tooLong: "its answer is too long"
            case .failed(let error): "\(error)"
            }
        }
    }

    private var transfer: (any HTTPTransfer)?
    private var timer: (any ReactorTimer)?
    /// What has come so far, or had come at the end.
    package private(set) var response: Response?
    private let limit: Int
    /// Called with the head, and again after each piece of the body.
    private let isEnough: (Response) -> Bool
    /// Nil once the fetch has ended or been cancelled.
    private var done: ((Result<Response, Problem>) -> Void)?

    /// Sends a request for a body of at most `limit` bytes. Calls `done` once, unless cancelled, and never inside this
    /// call. Calls `isEnough` with the head and after each piece of the body, until it returns true, and so ends the
    /// fetch; the response may then be a piece longer than the limit.
    package convenience init(
        _ request: TransferRequest, limit: Int, deadline: MonotonicInstant, client: any HTTPClient,
        reactor: any Reactor, isEnough: @escaping (Response) -> Bool = { _ in false },
        done: @escaping (Result<Response, Problem>) -> Void
    ) {
        self.init(limit, deadline, reactor, isEnough, done)
        transfer = client.start(request, delegate: self)
    }

    /// Goes on with an exchange whose head has been received. The caller makes it deliver the body to this object.
    package convenience init(
        of transfer: any HTTPTransfer, _ head: ResponseHead, limit: Int, deadline: MonotonicInstant,
        reactor: any Reactor, isEnough: @escaping (Response) -> Bool,
        done: @escaping (Result<Response, Problem>) -> Void
    ) {
        self.init(limit, deadline, reactor, isEnough, done)
        self.transfer = transfer
        response = Response(head: head)
    }

    private init(
        _ limit: Int, _ deadline: MonotonicInstant, _ reactor: any Reactor,
        _ isEnough: @escaping (Response) -> Bool, _ done: @escaping (Result<Response, Problem>) -> Void
    ) {
        (self.limit, self.isEnough, self.done) = (limit, isEnough, done)
        let timer = reactor.makeTimer { [weak self] in self?.end(.failure(.timeout)) }
        timer.arm(at: deadline)
        self.timer = timer
    }

    /// Sends a request, and waits for its response on a loop of its own. Blocks: for commands that do nothing else.
    package static func wait(
        for request: TransferRequest, limit: Int, patience: Duration
    ) -> Result<Response, Problem> {
        let answer = Mutex<Result<Response, Problem>>(.failure(.timeout))
        do throws(EventLoopError) {
            let loop = try EventLoop(name: "fetch")
            loop.post {
                let (reactor, client) = (loop.reactor, CurlClient(reactor: loop.reactor))
                _ = Fetch(
                    request, limit: limit, deadline: reactor.now + patience, client: client, reactor: reactor,
                    done: { result in
                        answer.withLock { $0 = result }
                        client.close()
                        loop.shutdown()
                    })
            }
            loop.run()
        } catch {
            return .failure(.failed(TransferError(.resources, "\(error)")))
        }
        return answer.withLock { $0 }
    }

    /// Ends the exchange without calling `done`.
    package func cancel() {
        done = nil
        timer?.cancel()
        transfer?.cancel()
        transfer = nil
    }

    private func end(_ result: Result<Response, Problem>) {
        guard let done = done.take() else { return }
        cancel()
        done(result)
    }
}

extension Fetch: TransferDelegate {
    package func transfer(_ transfer: any HTTPTransfer, entered phase: TransferPhase) {}

    package func transfer(_ transfer: any HTTPTransfer, received head: ResponseHead) {
        let response = Response(head: head)
        self.response = response
        if isEnough(response) { end(.success(response)) }
    }

    package func transfer(_ transfer: any HTTPTransfer, received bytes: UnsafeRawBufferPointer) {
        response?.body.append(contentsOf: bytes)
        guard let response else { return }
        if isEnough(response) {
            end(.success(response))
        } else if response.body.count > limit {
            end(.failure(.tooLong))
        }
    }

    package func transfer(_ transfer: any HTTPTransfer, endedWith error: TransferError?) {
        if let response, error == nil { return end(.success(response)) }
        end(.failure(.failed(error ?? TransferError(.protocolViolation, "the server has sent no response"))))
    }
}
