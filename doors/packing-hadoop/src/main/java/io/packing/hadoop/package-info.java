// SPDX-License-Identifier: Apache-2.0
/** The Hadoop front door: a mount as a Hadoop file system, without Alluxio. It translates and decides nothing. */
@NullMarked
package io.packing.hadoop;

import org.jspecify.annotations.NullMarked;
