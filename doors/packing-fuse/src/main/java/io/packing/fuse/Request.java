// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

/** A request, with the means to answer it. */
record Request(Caller caller, long node, MessageReader in, Reply reply) {}
