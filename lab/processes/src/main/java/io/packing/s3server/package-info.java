/** A real S3 protocol server inside the JVM, with request metering, throttling and latency. */
@NullMarked
package io.packing.s3server;

import org.jspecify.annotations.NullMarked;
