// SPDX-License-Identifier: Apache-2.0
/** The words of the OCI distribution specification: digests, names, tags, manifests, errors. */
@NullMarked
package io.packing.registry.oci;

import org.jspecify.annotations.NullMarked;
