// SPDX-License-Identifier: Apache-2.0
/** Mounts: a process gets a FUSE device, a keeper keeps its server alive, and nothing is left mounted. */
@NullMarked
package io.packing.fuse.mount;

import org.jspecify.annotations.NullMarked;
