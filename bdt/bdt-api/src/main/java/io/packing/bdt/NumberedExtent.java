// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.Extent;

/** An extent in a blob with a number. */
public record NumberedExtent(long blob, Extent extent) {}
