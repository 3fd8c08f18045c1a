// SPDX-License-Identifier: MIT

import HTTPServer

/// Exchanges that wait for an answer from another thread. The number stands for the exchange there, because an exchange
/// must not leave the loop's thread.
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
