// SPDX-License-Identifier: Apache-2.0
/** Rounds of changes and of rollbacks of directories to older copies, against a model with bytes. */
@NullMarked
package io.packing.it.rollback;

import org.jspecify.annotations.NullMarked;
