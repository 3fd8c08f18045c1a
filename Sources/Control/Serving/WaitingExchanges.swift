// SPDX-License-Identifier: MIT

import HTTPServer

/// Requests whose answers are made on another thread, by number: an exchange may not leave the loop's thread.
struct WaitingExchanges {
    private var exchanges: [Int: HTTPExchange] = [:]
    private var lastNumber = 0

    mutating func add(_ exchange: HTTPExchange) -> Int {
        lastNumber += 1
        exchanges[lastNumber] = exchange
        return lastNumber
    }

    /// Nil if it was taken before.
    mutating func take(_ number: Int) -> HTTPExchange? { exchanges.removeValue(forKey: number) }
}
