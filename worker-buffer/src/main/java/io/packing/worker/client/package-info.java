// SPDX-License-Identifier: Apache-2.0
/** A mount whose files workers in other processes buffer. */
@NullMarked
package io.packing.worker.client;

import org.jspecify.annotations.NullMarked;
