// SPDX-License-Identifier: Apache-2.0
/** Channels and servers of gRPC, for all protocols: how they connect, the limits of a server, and its end. */
@NullMarked
package io.packing.transport;

import org.jspecify.annotations.NullMarked;
