// SPDX-License-Identifier: Apache-2.0
/**
 * A real Alluxio on this machine: master, workers and job service as child processes on loopback.
 *
 * <p>{@link io.packing.cluster.AlluxioCluster} is the whole interface. Its callers do not need Alluxio's jars: the
 * children run from a folder of them that the {@code alluxio-runtime} module collects.
 */
@NullMarked
package io.packing.cluster;

import org.jspecify.annotations.NullMarked;
