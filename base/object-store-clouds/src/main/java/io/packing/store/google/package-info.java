// SPDX-License-Identifier: Apache-2.0
/** Google Cloud Storage as an object store. */
@NullMarked
package io.packing.store.google;

import org.jspecify.annotations.NullMarked;
