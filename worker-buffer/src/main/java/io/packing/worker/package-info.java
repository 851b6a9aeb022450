/** The packing worker: buffers files, packs and pushes blobs, serves reads. */
@NullMarked
package io.packing.worker;

import org.jspecify.annotations.NullMarked;
