// SPDX-License-Identifier: Apache-2.0
/** The Alluxio front door: translates the under file system calls of Alluxio, decides nothing. */
@NullMarked
package io.packing.ufs;

import org.jspecify.annotations.NullMarked;
