// SPDX-License-Identifier: Apache-2.0
/**
 * The load generator, a process that writes and verifies many small files through Alluxio's client.
 *
 * <p>Its class path is Alluxio's and these classes, so it uses only the JDK and Alluxio's client.
 */
@NullMarked
package io.packing.cluster.load;

import org.jspecify.annotations.NullMarked;
