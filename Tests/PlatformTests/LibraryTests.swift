// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Platform
import Testing

/// Libraries that are opened when they are first needed.
struct LibraryTests {
    @Test("A library is opened once, and its functions are found")
    func opened() {
        typealias Function = @convention(c) (CInt) -> CInt
        withLibrary(file: "libc.so.6", function: "abs") { library, address in
            #expect(ac_library_problem(library) == nil)
            let found = address.pointee
            #expect(found.map { unsafeBitCast($0, to: Function.self)(-7) } == 7)
            address.pointee = nil
            #expect(ac_library_problem(library) == nil)
            #expect(address.pointee == nil)
        }
    }

    @Test("The problem of a missing library has its name, however long that is")
    func missing() {
        withLibrary(file: "libnone.so.7", function: "abs") { library, address in
            let problem = ac_library_problem(library).map { String(cString: $0) }
            #expect(problem?.contains("libnone.so.7") == true)
            #expect(ac_library_problem(library).map { String(cString: $0) } == problem)
            #expect(address.pointee == nil)
        }
        withLibrary(file: String(repeating: "n", count: 400), function: "abs") { library, _ in
            #expect(ac_library_problem(library).map { String(cString: $0) }?.utf8.count == 255)
        }
    }

    @Test("Only a missing library is missing, and other loader errors come with a remedy")
    func problems() {
        withLibrary(file: "libnone.so.7", function: "abs") { library, _ in
            let words = ac_library_problem(library).map { String(cString: $0) } ?? ""
            #expect(LibraryProblem(words, file: "libnone.so.7", package: "none7") == .missing)
        }
        func remedy(_ words: String) -> String? {
            switch LibraryProblem(words, file: "libnone.so.7", package: "none7") {
            case .missing: nil
            case .broken(words, let remedy): remedy
            case .broken: "other words"
            }
        }
        let cannot = "cannot open shared object file:"
        #expect(remedy("libnone.so.7: \(cannot) Too many open files") == "raise the limit of open files (ulimit -n)")
        #expect(remedy("libneeded.so.1: \(cannot) No such file or directory") == "reinstall none7")
        for words in ["libnone.so.7: failed to map segment from shared object", "x: \(cannot) Cannot allocate memory"] {
            #expect(remedy(words) == "end other programs, or raise the limit of memory (ulimit -v)")
        }
        #expect(remedy("/lib/libnone.so.7: undefined symbol: abs") == "reinstall none7")
    }

    @Test("A function that a library lacks is named")
    func incomplete() {
        withLibrary(file: "libc.so.6", function: "ac_no_such_function") { library, address in
            #expect(
                ac_library_problem(library).map { String(cString: $0) }?.contains("ac_no_such_function") == true)
            #expect(address.pointee == nil)
        }
    }
}

/// Describes a library with one function, whose address is put where the second argument of `use` points.
private func withLibrary(
    file: String, function: String,
    _ use: (UnsafeMutablePointer<ac_library>, UnsafeMutablePointer<UnsafeRawPointer?>) -> Void
) {
    let address = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: 1)
    address.initialize(to: nil)
    defer { address.deallocate() }
    file.withCString { file in
        function.withCString { function in
            withUnsafePointer(to: ac_function(name: function, pointer: address)) { function in
                withUnsafeTemporaryAllocation(of: ac_library.self, capacity: 1) { room in
                    guard let library = room.baseAddress else { return }
                    memset(library, 0, MemoryLayout<ac_library>.size)
                    library.pointee.file = file
                    library.pointee.functions = function
                    library.pointee.function_count = 1
                    use(library, address)
                }
            }
        }
    }
}
