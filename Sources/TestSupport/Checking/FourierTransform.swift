// SPDX-License-Identifier: MIT

import Foundation

/// A fast Fourier transform with the operations that correlation needs.
enum FourierTransform {
    /// The cross-correlation of `hay` and `needle`: for each offset in `hay`, the sum of products with `needle`.
    static func correlate(_ hay: [Float], _ needle: [Float]) -> [Double] {
        var size = 1
        while size < hay.count + needle.count { size *= 2 }
        // Both signals are real, so one transform handles both: one as the real part, the other as the imaginary part.
        var real = hay.map(Double.init) + [Double](repeating: 0, count: size - hay.count)
        var imaginary = needle.map(Double.init) + [Double](repeating: 0, count: size - needle.count)
        transform(&real, &imaginary)
        var (productReal, productImaginary) = (real, imaginary)
        for index in 0..<size {
            let mirror = (size - index) % size
            let hayReal = (real[index] + real[mirror]) / 2
            let hayImaginary = (imaginary[index] - imaginary[mirror]) / 2
            let needleReal = (imaginary[index] + imaginary[mirror]) / 2
            let needleImaginary = (real[mirror] - real[index]) / 2
            // The spectrum of `hay` times the conjugate spectrum of `needle`, conjugated so that the forward transform
            // inverts it.
            productReal[index] = hayReal * needleReal + hayImaginary * needleImaginary
            productImaginary[index] = -(hayImaginary * needleReal - hayReal * needleImaginary)
        }
        transform(&productReal, &productImaginary)
        return productReal.prefix(hay.count).map { $0 / Double(size) }
    }

    /// Transforms in place. The count must be a power of two.
    private static func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
        let count = real.count
        var reversed = 0
        for index in 1..<max(1, count) {
            var bit = count >> 1
            while reversed & bit != 0 {
                reversed ^= bit
                bit >>= 1
            }
            reversed |= bit
            if index < reversed {
                real.swapAt(index, reversed)
                imaginary.swapAt(index, reversed)
            }
        }
        let cosines = (0..<max(1, count / 2)).map { cos(-2 * Double.pi * Double($0) / Double(count)) }
        let sines = (0..<max(1, count / 2)).map { sin(-2 * Double.pi * Double($0) / Double(count)) }
        var length = 2
        while length <= count {
            let (half, step) = (length / 2, count / length)
            for block in stride(from: 0, to: count, by: length) {
                for index in 0..<half {
                    let (low, high) = (block + index, block + index + half)
                    let (cosine, sine) = (cosines[index * step], sines[index * step])
                    let turnedReal = real[high] * cosine - imaginary[high] * sine
                    let turnedImaginary = real[high] * sine + imaginary[high] * cosine
                    (real[high], imaginary[high]) = (real[low] - turnedReal, imaginary[low] - turnedImaginary)
                    (real[low], imaginary[low]) = (real[low] + turnedReal, imaginary[low] + turnedImaginary)
                }
            }
            length *= 2
        }
    }
}
