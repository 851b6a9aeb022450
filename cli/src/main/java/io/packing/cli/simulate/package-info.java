// SPDX-License-Identifier: Apache-2.0
/** {@code packing simulate}: experiments of the storage simulator. */
@NullMarked
package io.packing.cli.simulate;

import org.jspecify.annotations.NullMarked;
