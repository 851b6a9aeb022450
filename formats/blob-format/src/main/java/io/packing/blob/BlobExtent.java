// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

/** An extent together with the blob that holds it. */
public record BlobExtent(BlobName blob, Extent extent) {}
