// SPDX-License-Identifier: Apache-2.0
/** Blobs, uploads, manifests, tags and referrers as files and vectors of a mount. */
@NullMarked
package io.packing.registry.store;

import org.jspecify.annotations.NullMarked;
