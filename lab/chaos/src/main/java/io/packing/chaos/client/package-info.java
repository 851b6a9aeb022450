/** A client as a process of its own, which does to a mount what it is told over a socket. */
@NullMarked
package io.packing.chaos.client;

import org.jspecify.annotations.NullMarked;
