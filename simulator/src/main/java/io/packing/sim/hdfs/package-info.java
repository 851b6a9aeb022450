// SPDX-License-Identifier: Apache-2.0
/** The model of HBase over HDFS (§3.2.2): from calls of HDFS clients to operations on local files of DataNodes. */
@NullMarked
package io.packing.sim.hdfs;

import org.jspecify.annotations.NullMarked;
