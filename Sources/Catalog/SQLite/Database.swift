// SPDX-License-Identifier: MIT

import CLibSQLite
import RadioFormats

/// A connection to an SQLite database. Confined to one thread; all calls block.
final class Database {
    private let handle: OpaquePointer
    /// Statements by their text: each is prepared once.
    private var statements: [String: Statement] = [:]

    /// How long to wait for the lock of another process, in milliseconds.
    private static let wait: Int32 = 5_000

    /// Opens or creates the database at `path`, which may not be a link.
    init(path: String) throws(CatalogError) {
        if let problem = ac_sqlite_problem() { throw .noLibrary(String(cString: problem)) }
        var opened: OpaquePointer?
        let result = ac_sqlite_open(path.pathBytes, Self.wait, &opened)
        guard let opened else { throw .failed(result, "out of memory") }
        guard result == 0 else {
            let text = String(cString: ac_sqlite_message(opened))
            ac_sqlite_close(opened)
            throw CatalogError(code: result, text)
        }
        handle = opened
    }

    deinit {
        statements = [:]
        ac_sqlite_close(handle)
    }

    /// Runs statements without parameters and results.
    func run(_ sql: String) throws(CatalogError) {
        let result = ac_sqlite_run(handle, sql)
        guard result == 0 else { throw error(result) }
    }

    /// Runs a statement, and calls `each` with every row of its result.
    func run(
        _ sql: String, _ values: [SQLValue], each: (Row) throws(CatalogError) -> Void = { _ in }
    ) throws(CatalogError) {
        let statement = try statement(sql)
        defer { statement.reset() }
        for (index, value) in values.enumerated() {
            let result = statement.bind(value, at: Int32(index + 1))
            guard result == 0 else { throw error(result) }
        }
        while true {
            switch statement.step() {
            case Int32(AC_SQLITE_ROW): try each(Row(statement))
            case Int32(AC_SQLITE_DONE): return
            case let result: throw error(result)
            }
        }
    }

    /// Runs a query, and returns its rows as `make` reads them, without those for which it returns nil.
    func rows<Element>(
        _ sql: String, _ values: [SQLValue] = [], _ make: (Row) -> Element?
    ) throws(CatalogError) -> [Element] {
        var rows: [Element] = []
        try run(sql, values) { if let element = make($0) { rows.append(element) } }
        return rows
    }

    /// Runs a query that has at most one row.
    func row<Element>(
        _ sql: String, _ values: [SQLValue] = [], _ make: (Row) -> Element?
    ) throws(CatalogError) -> Element? {
        try rows(sql, values, make).first
    }

    /// Whether a query has a row.
    func has(_ sql: String, _ values: [SQLValue] = []) throws(CatalogError) -> Bool {
        try row(sql, values) { _ in true } ?? false
    }

    /// Adds a row to a table.
    func insert(into table: String, _ row: [(column: String, value: SQLValue)]) throws(CatalogError) {
        let columns = row.map(\.column).joined(separator: ", ")
        let marks = row.map { _ in "?" }.joined(separator: ", ")
        try run("INSERT INTO \(table) (\(columns)) VALUES (\(marks))", row.map(\.value))
    }

    /// Runs `body` as one transaction.
    func transaction(_ body: () throws(CatalogError) -> Void) throws(CatalogError) {
        try run("BEGIN IMMEDIATE")
        do throws(CatalogError) {
            try body()
            try run("COMMIT")
        } catch {
            // SQLite may have rolled it back already.
            try? run("ROLLBACK")
            throw error
        }
    }

    private func statement(_ sql: String) throws(CatalogError) -> Statement {
        if let known = statements[sql] { return known }
        var prepared: OpaquePointer?
        let result = ac_sqlite_prepare(handle, sql, &prepared)
        guard result == 0, let prepared else { throw error(result) }
        let statement = Statement(prepared)
        statements[sql] = statement
        return statement
    }

    private func error(_ result: Int32) -> CatalogError {
        CatalogError(code: result, String(cString: ac_sqlite_message(handle)))
    }
}

/// A parameter of a statement.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)

    init(_ integer: Int64?) { self = integer.map(SQLValue.integer) ?? .null }
    init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }
    init(_ bool: Bool) { self = .integer(bool ? 1 : 0) }
}

/// A prepared statement.
final class Statement {
    fileprivate let handle: OpaquePointer

    fileprivate init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit { ac_sqlite_finalize(handle) }

    fileprivate func bind(_ value: SQLValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return ac_sqlite_bind_null(handle, index)
        case .integer(let number): return ac_sqlite_bind_integer(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    // An empty text may have no address, and passing a null pointer would bind NULL instead.
                    guard let start = bytes.baseAddress else { return ac_sqlite_bind_text(handle, index, "", 0) }
                    return ac_sqlite_bind_text(handle, index, start, Int32(clamping: bytes.count))
                }
            }
        }
    }

    fileprivate func step() -> Int32 { ac_sqlite_step(handle) }

    fileprivate func reset() { ac_sqlite_reset(handle) }
}

/// A row of a result, valid until the next step of its statement.
struct Row {
    private let handle: OpaquePointer

    fileprivate init(_ statement: Statement) {
        handle = statement.handle
    }

    /// The number in a column; 0 if it is null.
    func integer(_ column: Int) -> Int64 { ac_sqlite_column_integer(handle, Int32(column)) }

    func optionalInteger(_ column: Int) -> Int64? {
        ac_sqlite_column_kind(handle, Int32(column)) == Int32(AC_SQLITE_NULL) ? nil : integer(column)
    }

    /// The text in a column; nil if it is null. Bytes that are not UTF-8 are replaced.
    func text(_ column: Int) -> String? {
        var count: Int32 = 0
        guard let bytes = ac_sqlite_column_text(handle, Int32(column), &count) else { return nil }
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }
}
