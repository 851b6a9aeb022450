// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.storeservers;

import org.jspecify.annotations.NullMarked;
