// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.fuse.posix.server;

import org.jspecify.annotations.NullMarked;
