// SPDX-License-Identifier: Apache-2.0
/**
 * A simulation of recorded system calls on a local stack: page cache, file system, one device. It also estimates the
 * files' packing.
 */
@NullMarked
package io.packing.sim.desktop;

import org.jspecify.annotations.NullMarked;
