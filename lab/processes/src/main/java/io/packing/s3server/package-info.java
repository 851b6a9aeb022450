// SPDX-License-Identifier: Apache-2.0
/** A real S3 server inside the JVM, with metrics of requests, throttling, latency and faults. */
@NullMarked
package io.packing.s3server;

import org.jspecify.annotations.NullMarked;
