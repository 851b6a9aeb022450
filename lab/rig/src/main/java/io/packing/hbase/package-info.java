// SPDX-License-Identifier: Apache-2.0
/**
 * A real HDFS, ZooKeeper and HBase on this machine. Every server is a process on loopback, started from the folder that
 * the module {@code hbase-runtime} collects.
 *
 * <p>{@link io.packing.hbase.HdfsCluster} and {@link io.packing.hbase.ZooKeeper} outlive
 * {@link io.packing.hbase.HBaseCluster}. So several HBase clusters, traced and untraced, can run on one HDFS in turn.
 */
@NullMarked
package io.packing.hbase;

import org.jspecify.annotations.NullMarked;
