// SPDX-License-Identifier: Apache-2.0
/** The blob format: extents, footer, reader and verifier. {@code docs/blob-format.md} is normative. */
@NullMarked
package io.packing.blob;

import org.jspecify.annotations.NullMarked;
