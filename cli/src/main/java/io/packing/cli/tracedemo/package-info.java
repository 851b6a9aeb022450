/** The demonstration of tracing: real workloads on a real HDFS, traced and not, measured and checked. */
@NullMarked
package io.packing.cli.tracedemo;

import org.jspecify.annotations.NullMarked;
