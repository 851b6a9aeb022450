package io.packing.chaos.client;

import java.io.IOException;
import java.util.List;

/** A way to a mount. What it throws is sorted by {@link Outcomes}; false is a refusal that is no exception. */
interface Door {
    void create(String path, byte[] bytes, int mode, boolean overwrite) throws IOException;

    boolean delete(String path, boolean recursive) throws IOException;

    boolean rename(String from, String to) throws IOException;

    boolean mkdir(String path) throws IOException;

    boolean chmod(String path, int mode) throws IOException;

    /** All bytes of a file. */
    byte[] read(String path) throws IOException;

    /** Bytes from an offset on; fewer at the end of the file. */
    byte[] read(String path, int offset, int length) throws IOException;

    /** The entries of a directory. */
    List<Reply.Entry> list(String directory) throws IOException;
}
