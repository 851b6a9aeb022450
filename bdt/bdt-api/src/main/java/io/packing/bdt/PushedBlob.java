package io.packing.bdt;

import io.packing.blob.BlobName;

/** A blob that is completely in the backing store, and its total length in bytes. */
public record PushedBlob(BlobName name, long length) {}
