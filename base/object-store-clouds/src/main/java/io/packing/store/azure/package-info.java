// SPDX-License-Identifier: Apache-2.0
/** Azure Blob Storage as an object store. */
@NullMarked
package io.packing.store.azure;

import org.jspecify.annotations.NullMarked;
