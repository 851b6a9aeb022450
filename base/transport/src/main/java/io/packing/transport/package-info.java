/** Channels and servers of gRPC, for all protocols: how they connect, what a server lets in, how it ends. */
@NullMarked
package io.packing.transport;

import org.jspecify.annotations.NullMarked;
