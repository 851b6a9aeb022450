// SPDX-License-Identifier: Apache-2.0
/** A client as a process of its own, which performs on a mount the requests that it gets over a socket. */
@NullMarked
package io.packing.chaos.client;

import org.jspecify.annotations.NullMarked;
