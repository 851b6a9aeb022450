package io.packing.bdt;

import io.packing.transport.token.KeyRing;
import java.io.IOException;
import java.util.Map;

/** A BDT master: it keeps one blob descriptor table per mount. */
public interface Bdts extends AutoCloseable {
    /**
     * Opens the table of the mount whose backing store {@code packing.store} names, creating or recovering it when the
     * master does not have it. Idempotent. The options are those of the mount, credentials of the store included: the
     * master backs the table up there, and keeps credentials in memory only.
     *
     * @throws IllegalArgumentException for unknown or malformed options
     * @throws UnavailableException when the master or the store cannot be reached
     */
    Bdt open(Map<String, String> options) throws IOException;

    /** What checks the tokens that the master issues; a master without TLS issues none. */
    default KeyRing tokenKeys() throws IOException {
        return KeyRing.EMPTY;
    }

    @Override
    void close();
}
