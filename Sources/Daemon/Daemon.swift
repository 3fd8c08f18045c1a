// SPDX-License-Identifier: MIT

import Configuration
import Engine
