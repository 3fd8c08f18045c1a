// SPDX-License-Identifier: MIT

import CLibSQLite
import Instants
import Platform
import RadioCore
