// SPDX-License-Identifier: Apache-2.0
/** The server side of the NBD protocol, over any {@link io.packing.nbd.NbdDevice} (RFC 0028). */
@NullMarked
package io.packing.nbd;

import org.jspecify.annotations.NullMarked;
