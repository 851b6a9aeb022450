/**
 * Is a trace complete? Every file that HDFS has at the end must follow from the trace alone, byte for byte in length and
 * without a hole.
 */
@NullMarked
package io.packing.hbase.check;

import org.jspecify.annotations.NullMarked;
