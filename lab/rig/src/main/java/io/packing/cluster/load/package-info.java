/**
 * The load generator: writes and verifies many small files through Alluxio's client, in a process of its own.
 *
 * <p>Its class path is Alluxio's, plus these classes; so it uses nothing but the JDK and Alluxio's client.
 */
@NullMarked
package io.packing.cluster.load;

import org.jspecify.annotations.NullMarked;
