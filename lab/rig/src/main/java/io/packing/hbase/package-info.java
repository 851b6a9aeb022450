/**
 * A real HDFS, ZooKeeper and HBase on this machine: every server a process of its own on loopback, started from the
 * folder that the module {@code hbase-runtime} collects.
 *
 * <p>{@link io.packing.hbase.HdfsCluster} and {@link io.packing.hbase.ZooKeeper} outlive {@link
 * io.packing.hbase.HBaseCluster}, so that several HBase clusters, traced and untraced, run on the same HDFS one after
 * the other.
 */
@NullMarked
package io.packing.hbase;

import org.jspecify.annotations.NullMarked;
