// SPDX-License-Identifier: Apache-2.0
/** The process that serves a mounted directory. */
@NullMarked
package io.packing.fuse.posix.server;

import org.jspecify.annotations.NullMarked;
