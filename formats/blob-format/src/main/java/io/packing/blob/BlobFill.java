package io.packing.blob;

/**
 * When a blob is full. What counts are the bytes of its files, since a store is paid for PUTs by the bytes that users have: a
 * gigabyte of small files is one blob, and not one and a little one with what their headers took from the first. Headers and names
 * count where they are many, so that no blob is larger than its limit and a sixteenth.
 */
public final class BlobFill {
    private static final double HEADERS = 16;

    private BlobFill() {}

    /**
     * Whether a blob takes no more files.
     *
     * @param fileBytes stored bytes of its files
     * @param bytes of all that is in it so far
     * @param most what a blob is to have
     */
    public static boolean isFull(double fileBytes, double bytes, long most) {
        return fileBytes >= most || bytes >= most + most / HEADERS;
    }
}
