// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.transport.token.KeyRing;
import java.io.IOException;
import java.util.Map;

/** A BDT master, which keeps one blob descriptor table per mount. */
public interface Bdts extends AutoCloseable {
    /**
     * Opens the table of the mount whose backing store {@code packing.store} names. A master without it creates or
     * recovers it. Idempotent. The options are those of the mount, with the store's credentials: the master backs the
     * table up there, and keeps credentials in memory only.
     *
     * @throws IllegalArgumentException for unknown or malformed options
     * @throws UnavailableException when the master or the store cannot be reached
     */
    Bdt open(Map<String, String> options) throws IOException;

    /** Returns the keys that check the tokens of the master; a master without TLS issues none. */
    KeyRing tokenKeys() throws IOException;

    @Override
    void close();
}
