/**
 * A real Alluxio on this machine: master, workers and job service as child processes on loopback.
 *
 * <p>{@link io.packing.cluster.AlluxioCluster} is the whole interface. Alluxio's jars are never on the class path of the
 * process that uses it: the children run from a folder that the {@code alluxio-runtime} module collects.
 */
@NullMarked
package io.packing.cluster;

import org.jspecify.annotations.NullMarked;
