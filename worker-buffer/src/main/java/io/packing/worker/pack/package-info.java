// SPDX-License-Identifier: Apache-2.0
/** The packer: it makes blobs of buffered files, pushes and commits them. */
@NullMarked
package io.packing.worker.pack;

import org.jspecify.annotations.NullMarked;
