// SPDX-License-Identifier: Apache-2.0
/** A job for a Spark process of its own, over Alluxio's client, without a class of packing. */
@NullMarked
package io.packing.it.spark;

import org.jspecify.annotations.NullMarked;
