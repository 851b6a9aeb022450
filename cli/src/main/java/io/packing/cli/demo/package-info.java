/** The demonstration: the same files through packing and through Alluxio's own S3 under file system, side by side. */
@NullMarked
package io.packing.cli.demo;

import org.jspecify.annotations.NullMarked;
