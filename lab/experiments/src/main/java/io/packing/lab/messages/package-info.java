// SPDX-License-Identifier: Apache-2.0
/** The demonstration of tracing: real workloads on a real HDFS, traced and not, measured and checked. */
@NullMarked
package io.packing.lab.messages;

import org.jspecify.annotations.NullMarked;
