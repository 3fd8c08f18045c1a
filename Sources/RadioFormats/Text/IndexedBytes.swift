// SPDX-License-Identifier: MIT

/// Bytes that a parser of text reads by their places.
///
/// Parsers of what strangers write are generic over it. So a test can hand them bytes that count how often they are
/// looked at, and hold the count to a multiple of their number: work that grows faster than its input is a fault.
package protocol IndexedBytes: RandomAccessCollection where Element == UInt8, Index == Int, SubSequence: IndexedBytes {}

extension Array: IndexedBytes where Element == UInt8 {}
extension ArraySlice: IndexedBytes where Element == UInt8 {}
extension UnsafeRawBufferPointer: IndexedBytes {}
extension Slice: IndexedBytes where Base: IndexedBytes {}
