// SPDX-License-Identifier: MIT

import Foundation

/// Fits one signal to another with a least-squares FIR filter, which models a fractional delay and a gain.
enum FractionalDelay {
    /// The number of samples on each side of a sample that the filter uses.
    static let reach = 16

    /// The signal-to-noise ratio in dB when the recording around `place` is fitted to `part`; -1000 if no fit is
    /// possible.
    static func ratio(of part: [Float], in heard: [Float], at place: Int) -> Double {
        let taps = 2 * reach + 1
        var matrix = [Double](repeating: 0, count: taps * taps)
        var right = [Double](repeating: 0, count: taps)
        // The sum of products at a lag depends little on where it begins. One row is summed in full; each further row
        // adds and removes one product.
        for column in 0..<taps {
            var sum = product(heard, place - reach, heard, place - reach + column, count: part.count)
            for row in 0..<(taps - column) {
                matrix[row * taps + row + column] = sum
                matrix[(row + column) * taps + row] = sum
                let (first, last) = (place - reach + row, place - reach + row + part.count)
                guard last < heard.count, last + column < heard.count else { continue }
                sum += Double(heard[last]) * Double(heard[last + column])
                sum -= Double(heard[first]) * Double(heard[first + column])
            }
            right[column] = product(part, 0, heard, place - reach + column, count: part.count)
        }
        let energy = product(part, 0, part, 0, count: part.count)
        guard energy > 0, let weights = solve(matrix, right) else { return -1000 }
        var noise = 0.0
        part.withUnsafeBufferPointer { part in
            heard.withUnsafeBufferPointer { heard in
                weights.withUnsafeBufferPointer { weights in
                    var index = 0
                    while index < part.count {
                        var (value, tap) = (Double(part[index]), 0)
                        while tap < taps {
                            value -= weights[tap] * Double(heard[place + index - reach + tap])
                            tap += 1
                        }
                        noise += value * value
                        index += 1
                    }
                }
            }
        }
        return 10 * log10(energy / max(noise, energy * 1e-20))
    }

    /// The sum of products of two sections. Written for debug builds, in which closures and ranges are slow.
    static func product(_ left: [Float], _ leftStart: Int, _ right: [Float], _ rightStart: Int, count: Int) -> Double {
        left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in
                var (sum, index) = (0.0, 0)
                while index < count {
                    sum += Double(left[leftStart + index]) * Double(right[rightStart + index])
                    index += 1
                }
                return sum
            }
        }
    }

    /// Solves a system of equations with a symmetric matrix by Cholesky decomposition. Slight damping keeps the system
    /// solvable for a signal without high frequencies.
    private static func solve(_ matrix: [Double], _ right: [Double]) -> [Double]? {
        let count = right.count
        var lower = matrix
        let damping = (0..<count).reduce(0.0) { $0 + matrix[$1 * count + $1] } / Double(count) * 1e-9
        for row in 0..<count {
            for column in 0...row {
                var sum = matrix[row * count + column] + (row == column ? damping : 0)
                for index in 0..<column { sum -= lower[row * count + index] * lower[column * count + index] }
                if row == column {
                    guard sum > 0 else { return nil }
                    lower[row * count + row] = sum.squareRoot()
                } else {
                    lower[row * count + column] = sum / lower[column * count + column]
                }
            }
        }
        var solution = right
        for row in 0..<count {
            for index in 0..<row { solution[row] -= lower[row * count + index] * solution[index] }
            solution[row] /= lower[row * count + row]
        }
        for row in (0..<count).reversed() {
            for index in (row + 1)..<max(count, row + 1) {
                solution[row] -= lower[index * count + row] * solution[index]
            }
            solution[row] /= lower[row * count + row]
        }
        return solution
    }
}
