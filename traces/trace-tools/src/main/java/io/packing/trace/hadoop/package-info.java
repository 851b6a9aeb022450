/** Tools for traces that need Hadoop's classes: replay against any of its file systems, and Parquet. */
@NullMarked
package io.packing.trace.hadoop;

import org.jspecify.annotations.NullMarked;
