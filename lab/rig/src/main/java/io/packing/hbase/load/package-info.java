// SPDX-License-Identifier: Apache-2.0
/**
 * The load: a YCSB workload with the schema of Facebook Messages (Harter's thesis, Table 3.2), and YCSB's binding to
 * HBase.
 *
 * <p>These classes run in a process of their own on the class path of the servers. They use only the JDK, YCSB and
 * HBase's client. The parent process uses {@link io.packing.hbase.load.YcsbLoad} and
 * {@link io.packing.hbase.load.YcsbResult}.
 */
@NullMarked
package io.packing.hbase.load;

import org.jspecify.annotations.NullMarked;
