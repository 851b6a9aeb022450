/** Small programs that run on the class path of the servers: what an operator would do with the shells of HDFS and HBase. */
@NullMarked
package io.packing.hbase.tool;

import org.jspecify.annotations.NullMarked;
