// SPDX-License-Identifier: Apache-2.0
/** Clients that store each file as one object, as programs without packing do, with the retries that they ship with. */
@NullMarked
package io.packing.lab.direct;

import org.jspecify.annotations.NullMarked;
