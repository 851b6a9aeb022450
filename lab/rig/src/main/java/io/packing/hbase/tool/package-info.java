// SPDX-License-Identifier: Apache-2.0
/** Small programs on the servers' class path. They do the work of an operator with the shells of HDFS and HBase. */
@NullMarked
package io.packing.hbase.tool;

import org.jspecify.annotations.NullMarked;
