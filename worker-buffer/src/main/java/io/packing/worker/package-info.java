// SPDX-License-Identifier: Apache-2.0
/**
 * The packing worker of a process, wired from the packages below it: mounts, their threads and files, the peer service,
 * metrics.
 */
@NullMarked
package io.packing.worker;

import org.jspecify.annotations.NullMarked;
