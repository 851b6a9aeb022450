// SPDX-License-Identifier: Apache-2.0
/** The policies that choose the files of a blob, and their order. */
@NullMarked
package io.packing.worker.policy;

import org.jspecify.annotations.NullMarked;
