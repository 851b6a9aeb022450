package io.packing.bdt;

import io.packing.blob.Extent;

/** An extent in a blob that is named by its number. */
public record NumberedExtent(long blob, Extent extent) {}
