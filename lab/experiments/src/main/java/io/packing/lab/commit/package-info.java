// SPDX-License-Identifier: Apache-2.0
/** Experiments at Hadoop's door: what applications do through Hadoop's {@code FileSystem}. */
@NullMarked
package io.packing.lab.commit;

import org.jspecify.annotations.NullMarked;
