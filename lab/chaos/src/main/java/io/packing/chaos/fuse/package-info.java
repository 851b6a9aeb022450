// SPDX-License-Identifier: Apache-2.0
/**
 * Chaos through the kernel: programs use FUSE mounts while the mounts' servers and the processes behind them are
 * killed.
 */
@NullMarked
package io.packing.chaos.fuse;

import org.jspecify.annotations.NullMarked;
