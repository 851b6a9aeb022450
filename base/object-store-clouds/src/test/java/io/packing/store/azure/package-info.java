// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.store.azure;

import org.jspecify.annotations.NullMarked;
