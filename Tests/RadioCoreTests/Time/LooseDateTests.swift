// SPDX-License-Identifier: MIT

import RadioCore
import Testing

struct LooseDateTests {
    @Test(
        "Mail dates are read, also in common wrong forms",
        arguments: [
            ("Wed, 02 Oct 2002 15:00:00 +0200", "2002-10-02T15:00:00+02:00"),
            ("Wed, 02 Oct 2002 08:00:00 EST", "2002-10-02T08:00:00-05:00"),
            ("02 Oct 2002 13:00 GMT", "2002-10-02T13:00:00Z"),
            ("wednesday, 2 october 02 13:00:00 Z", "2002-10-02T13:00:00Z"),
            ("Sun, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"),
            ("Mon,30 Nov 2026 23:59:60 -0330", "2026-11-30T23:59:59-03:30"),
            ("Oct 2 2002 13:00:00 +1", "2002-10-02T13:00:00+01:00"),
            ("02 Oct 2002 13:00:00 GMT+02:00", "2002-10-02T13:00:00+02:00"),
            ("02 Sept 2002 13:00:00.123 NOWHERE", "2002-09-02T13:00:00Z"),
            ("02 Oct 2002 13:00:00 +9999", "2002-10-02T13:00:00Z"),
        ])
    func read(text: String, date: String) {
        #expect(CivilTime(looseRFC822: text) == CivilTime(rfc3339: date))
    }

    @Test(
        "Text that is no date is refused",
        arguments: [
            "", "yesterday", "Wed, 02 Oct 2002", "32 Oct 2002 10:00:00 GMT", "02 Foo 2002 10:00:00 GMT", "a b c d:e",
            "02 Oct 99999 10:00:00 GMT", "02 Oct 2002 25:00:00 GMT", "10:00:00", "Monday, Oct Nov 2002 10:00",
            ":::::::",
            "02 Oct 2002 1:2:3:4",
        ])
    func refuse(text: String) {
        #expect(CivilTime(looseRFC822: text) == nil)
        #expect(CivilTime(looseRFC822: text + String(repeating: " ", count: 80)) == nil)
    }
}
