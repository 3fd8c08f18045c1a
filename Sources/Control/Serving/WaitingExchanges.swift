// SPDX-License-Identifier: MIT

import HTTPServer

/// Exchanges that wait for an answer from another thread. The other thread gets only the number of an exchange, because
/// an exchange must not leave the loop's thread.
struct WaitingExchanges {
    private var exchanges: [Int: HTTPExchange] = [:]
    private var lastNumber = 0

    mutating func add(_ exchange: HTTPExchange) -> Int {
        lastNumber += 1
        exchanges[lastNumber] = exchange
        return lastNumber
    }

    /// Takes the exchange with this number; nil if it has been taken already.
    mutating func take(_ number: Int) -> HTTPExchange? { exchanges.removeValue(forKey: number) }
}
