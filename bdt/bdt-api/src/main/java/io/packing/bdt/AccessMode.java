package io.packing.bdt;

/** Rights on a file or directory, as bits of a mode (POSIX.1-2017 §4.5). */
public final class AccessMode {
    /** Of a file: its bytes. Of a directory: its names. */
    public static final int READ = 4;
    /** Of a file: its bytes. Of a directory: to make, remove and rename what is in it. */
    public static final int WRITE = 2;
    /** Of a directory: to go through it. Of a file nobody asks for it. */
    public static final int SEARCH = 1;

    private static final String[] NAMES = {
        "NONE", "EXECUTE", "WRITE", "WRITE_EXECUTE", "READ", "READ_EXECUTE", "READ_WRITE", "ALL"
    };

    private AccessMode() {}

    /** As HDFS calls them. */
    public static String name(int rights) {
        return NAMES[check(rights)];
    }

    /** The rights as they are; throws {@link IllegalArgumentException} when there are other bits. */
    public static int check(int rights) {
        if ((rights & ~(READ | WRITE | SEARCH)) != 0) {
            throw new IllegalArgumentException("rights %o, want bits of 7".formatted(rights));
        }
        return rights;
    }
}
