// SPDX-License-Identifier: Apache-2.0
/** The second tier of the read cache: pages of blobs in files of the local disk. */
@NullMarked
package io.packing.worker.disk;

import org.jspecify.annotations.NullMarked;
