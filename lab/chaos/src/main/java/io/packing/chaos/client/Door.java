// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.client;

import java.io.IOException;
import java.util.List;

/** A way to a mount. {@link Outcomes} sorts its exceptions; false means a refusal without an exception. */
interface Door {
    void create(String path, byte[] bytes, int mode, boolean overwrite) throws IOException;

    boolean delete(String path, boolean recursive) throws IOException;

    boolean rename(String from, String to) throws IOException;

    boolean mkdir(String path) throws IOException;

    boolean chmod(String path, int mode) throws IOException;

    /** Reads a whole file. */
    byte[] read(String path) throws IOException;

    /** Reads bytes from an offset on; fewer at the end of the file. */
    byte[] read(String path, int offset, int length) throws IOException;

    /** Lists a directory. */
    List<ClientReply.Entry> list(String directory) throws IOException;
}
