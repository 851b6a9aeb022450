// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.store.google;

import org.jspecify.annotations.NullMarked;
