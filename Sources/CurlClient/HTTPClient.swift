// SPDX-License-Identifier: MIT

/// What starts HTTP exchanges: ``CurlClient``, or an origin in virtual time for tests. Confined to the loop's thread.
package protocol HTTPClient: AnyObject {
    /// Starts an exchange; the delegate hears of it from a later turn of the loop on, never inside this call.
    func start(_ request: TransferRequest, delegate: any TransferDelegate) -> any HTTPTransfer
}

/// One HTTP exchange, with its redirects, as its caller sees it. Confined to the loop's thread.
package protocol HTTPTransfer: AnyObject {
    /// Ends it; the delegate hears nothing more.
    func cancel()
    /// Stops receiving: no more body bytes come. For files; a live station is never paused.
    func pause()
    /// Goes on receiving; the first bytes come after this call, never inside it.
    func resume()
    /// Lets `bytes` bytes gather before the loop is woken; 1 is as usual. Fewer bytes wait until more come, the
    /// connection ends, or a smaller number is set.
    func gather(_ bytes: Int)
}
