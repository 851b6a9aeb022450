// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.operations.fsck;

import org.jspecify.annotations.NullMarked;
