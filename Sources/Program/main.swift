// SPDX-License-Identifier: MIT

import aircheck

runCommandLine()
