// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

@Suite struct HTTPDateTests {
    @Test(
        "An HTTP date is read in each of its three forms",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func forms(_ text: String) throws {
        let time = try #require(CivilTime(httpDate: text))
        #expect(time.instant.nanoseconds == 784_111_777_000_000_000)
        #expect(time.httpDate == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(
        "Text that is no HTTP date is refused",
        arguments: [
            "", "GMT", "yesterday", "Sun, 06 Nov 1994", "Sun, 31 Feb 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Noy 1994 08:49:37 GMT", "Sun, 06 Nov 9999 08:49:37 GMT",
            "Sun, 99999999999999999999 Nov 1994 08:49:37 GMT",
        ])
    func invalidText(_ text: String) {
        #expect(CivilTime(httpDate: text) == nil)
    }

    @Test("Two-digit years are years from 1970 to 2069") func twoDigitYears() throws {
        #expect(try #require(CivilTime(httpDate: "Monday, 01-Jan-70 00:00:00 GMT")).year == 1970)
        #expect(try #require(CivilTime(httpDate: "Tuesday, 01-Jan-69 00:00:00 GMT")).year == 2069)
    }
}
