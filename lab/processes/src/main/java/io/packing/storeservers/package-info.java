// SPDX-License-Identifier: Apache-2.0
/** Third-party S3 servers as processes of this machine, and a network to a server that breaks by a seed. */
@NullMarked
package io.packing.storeservers;

import org.jspecify.annotations.NullMarked;
