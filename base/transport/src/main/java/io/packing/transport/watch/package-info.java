// SPDX-License-Identifier: Apache-2.0
/** Files of keys and users that are read again when they change. */
@NullMarked
package io.packing.transport.watch;

import org.jspecify.annotations.NullMarked;
