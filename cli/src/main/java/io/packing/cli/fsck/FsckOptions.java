package io.packing.cli.fsck;

/**
 * How thorough a check is.
 *
 * @param verify the share of blobs that are read as a whole, 0 to 1
 * @param seed says which blobs these are
 */
public record FsckOptions(double verify, long seed) {
    public FsckOptions {
        if (!(verify >= 0 && verify <= 1)) {
            throw new IllegalArgumentException("a share of %s of the blobs: want 0 to 1".formatted(verify));
        }
    }
}
