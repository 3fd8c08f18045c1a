// SPDX-License-Identifier: MIT

/// Bytes that a text parser reads by index.
///
/// Parsers of untrusted text are generic over this protocol, so a test can pass a collection that counts accesses, and
/// check that the work grows linearly with the input.
package protocol IndexedBytes: RandomAccessCollection where Element == UInt8, Index == Int, SubSequence: IndexedBytes {}

extension Array: IndexedBytes where Element == UInt8 {}
extension ArraySlice: IndexedBytes where Element == UInt8 {}
extension UnsafeRawBufferPointer: IndexedBytes {}
extension Slice: IndexedBytes where Base: IndexedBytes {}
